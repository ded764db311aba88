//! The English sentences that explain the reasons of algorithms.

use alloc::string::String;

/// A reason and the sentence that explains it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sentence {
    /// The name of the reason in the code: `FirstInOwnQueue`.
    pub name: &'static str,
    /// The sentence without its numbers: `Entered: the privilege is here, …`.
    pub text: &'static str,
}

impl Sentence {
    /// Returns the name of the reason in events: `first-in-own-queue`.
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
