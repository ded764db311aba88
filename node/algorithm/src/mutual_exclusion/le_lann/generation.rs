//! A process's knowledge of the tokens that were made, one after the other, and of claims to make the next one.
//!
//! A process that passes on a claim to make a token accepts no older token from then on. So when a claim has gone
//! round, no process has an older token. An older token in transit does not count, whether it was considered lost
//! or was only late.

use crate::prelude::*;

/// A claim to make a token. The later generation is better. Of equal generations the greater candidate is better,
/// as in the election of Chang and Roberts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Claim {
    pub generation: u64,
    pub candidate: NodeId,
}

/// A process's knowledge of generations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(super) struct Generations {
    /// Latest generation that this process knows; 0 if it knows none.
    latest: u64,
    /// Best candidate that claims to make the token of that generation; `None` once the token exists.
    candidate: Option<NodeId>,
    /// Whether this process has come back after a crash and has seen no token since.
    is_back: bool,
}

/// The treatment of a token that arrives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Came {
    /// It counts.
    Counts,
    /// It may be an old one, as far as this process knows, so the process passes it on unused. If it is old,
    /// another process knows that.
    Unknown,
    /// It no longer counts.
    Old,
}

/// The treatment of a claim that arrives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Heard {
    /// It is passed on.
    GoesOn,
    /// It is the process's own claim and has gone round.
    Won,
    /// It is not passed on.
    Stops,
}

impl Generations {
    /// Returns the knowledge that there is a token of this generation, or none yet.
    pub const fn from(latest: u64) -> Self {
        Self { latest, candidate: None, is_back: false }
    }

    /// The knowledge after a crash: nothing.
    pub const FORGOTTEN: Self = Self { latest: 0, candidate: None, is_back: true };

    /// Returns the latest known generation.
    pub const fn latest(self) -> u64 {
        self.latest
    }

    /// Records that a token of this generation arrives, and returns its treatment.
    pub fn see(&mut self, generation: u64) -> Came {
        if generation < self.latest {
            return Came::Old;
        }
        let was_back = self.is_back;
        self.accept(generation);
        if was_back { Came::Unknown } else { Came::Counts }
    }

    /// Records that the token of this generation is the one that counts.
    pub const fn accept(&mut self, generation: u64) {
        *self = Self::from(generation);
    }

    /// Returns a claim to make the next token. If no better claim has replaced the previous one, it is the same
    /// again.
    pub fn claim(&mut self, me: NodeId) -> Claim {
        if self.candidate != Some(me) {
            self.latest = self.latest.saturating_add(1);
            self.candidate = Some(me);
        }
        Claim { generation: self.latest, candidate: me }
    }

    /// Records a claim that arrives while the token is not here, and returns its treatment.
    pub fn hear(&mut self, claim: Claim, me: NodeId) -> Heard {
        let Claim { generation, candidate } = claim;
        let best = self.candidate.map(|candidate| Claim { generation: self.latest, candidate });
        if best == Some(claim) && candidate == me {
            return Heard::Won;
        }
        // An own claim that this process does not know is from an earlier incarnation.
        let goes_on = candidate != me
            && (generation > self.latest || best.is_some_and(|best| generation == self.latest && claim >= best));
        if !goes_on {
            return Heard::Stops;
        }
        (self.latest, self.candidate) = (generation, Some(candidate));
        Heard::GoesOn
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ME: NodeId = NodeId(1);

    const fn claim(generation: u64, candidate: u32) -> Claim {
        Claim { generation, candidate: NodeId(candidate) }
    }

    #[test]
    fn who_has_passed_on_a_claim_takes_no_older_token() {
        let mut generations = Generations::from(1);
        assert_eq!(generations.hear(claim(2, 0), ME), Heard::GoesOn);
        assert_eq!((generations.see(1), generations.see(2)), (Came::Old, Came::Counts));
        assert_eq!(generations.hear(claim(2, 0), ME), Heard::Stops, "that token is made");
    }

    #[test]
    fn of_two_claims_the_better_goes_on() {
        let mut generations = Generations::from(1);
        assert_eq!(generations.claim(ME), claim(2, 1));
        assert_eq!(generations.claim(ME), claim(2, 1));
        assert_eq!(generations.hear(claim(2, 0), ME), Heard::Stops);
        assert_eq!(generations.hear(claim(2, 2), ME), Heard::GoesOn);
        assert_eq!(generations.hear(claim(2, 1), ME), Heard::Stops, "its own is outdone");
        assert_eq!(generations.hear(claim(2, 2), ME), Heard::GoesOn, "it may be said again");
        assert_eq!(generations.claim(ME), claim(3, 1));
        assert_eq!(generations.hear(claim(3, 1), ME), Heard::Won);
    }

    #[test]
    fn who_has_forgotten_uses_no_token_until_one_has_come_by_and_claims_nothing_of_an_earlier_life() {
        let mut generations = Generations::FORGOTTEN;
        assert_eq!(generations.hear(claim(7, 1), ME), Heard::Stops);
        assert_eq!(generations.hear(claim(7, 0), ME), Heard::GoesOn);
        assert_eq!([6, 7, 7].map(|generation| generations.see(generation)), [Came::Old, Came::Unknown, Came::Counts]);
    }
}
