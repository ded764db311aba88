//! The lowest layer. This is not a reference: `crate::monitor::Verdict`.

pub struct Event {
    pub verdict: Option<&'static str>,
}

pub fn undecided() -> Event {
    Event { verdict: Some("crate::monitor::Verdict") }
}

#[cfg(test)]
use crate::monitor::Verdict;

#[cfg(test)]
mod tests {
    use crate::monitor::judge;
}
