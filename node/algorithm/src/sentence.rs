//! What the reasons of algorithms say, in English.

use alloc::string::String;

/// A reason, and what it says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sentence {
    /// The reason, as it is called in the code: `FirstInOwnQueue`.
    pub name: &'static str,
    /// What it says, without its numbers: `Entered: the privilege is here, …`.
    pub text: &'static str,
}

impl Sentence {
    /// How the reason is called in events: `first-in-own-queue`.
    #[must_use]
    pub fn code(&self) -> String {
        let mut code = String::new();
        for letter in self.name.chars() {
            if letter.is_uppercase() && !code.is_empty() {
                code.push('-');
            }
            code.extend(letter.to_lowercase());
        }
        code
    }
}
