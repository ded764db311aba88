//! What a process knows of the tokens that were made, one after the other, and of claims to make the next.
//!
//! Whoever passes on a claim to make a token takes no older one any more. So when a claim has come round, nobody has an
//! older token, and none that is still on its way counts, whether it was lost or only late.

use crate::prelude::*;

/// A claim to make a token: the later generation is better, and of the same the greater candidate, as in Chang and
/// Roberts' election.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Claim {
    pub generation: u64,
    pub candidate: NodeId,
}

/// What a process knows of generations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(super) struct Generations {
    /// The latest generation that this process has heard of; 0 if of none.
    latest: u64,
    /// The best that claims to make the token of that generation; nobody once there is one.
    candidate: Option<NodeId>,
    /// Whether this process is back after a crash and has seen no token since.
    is_back: bool,
}

/// What becomes of a token that comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Came {
    /// It counts.
    Counts,
    /// It may be an old one for all that this process knows: it goes on unused. If it is one, somebody else knows.
    Unknown,
    /// It counts no more.
    Old,
}

/// What becomes of a claim that comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Heard {
    /// It goes on.
    GoesOn,
    /// It is one's own and has come round.
    Won,
    /// It goes no further.
    Stops,
}

impl Generations {
    /// There is a token of this generation, or none yet.
    pub const fn from(latest: u64) -> Self {
        Self { latest, candidate: None, is_back: false }
    }

    /// Nothing is known after a crash.
    pub const FORGOTTEN: Self = Self { latest: 0, candidate: None, is_back: true };

    /// The latest that was heard of.
    pub const fn latest(self) -> u64 {
        self.latest
    }

    /// A token of this generation comes.
    pub fn see(&mut self, generation: u64) -> Came {
        if generation < self.latest {
            return Came::Old;
        }
        let was_back = self.is_back;
        self.accept(generation);
        if was_back { Came::Unknown } else { Came::Counts }
    }

    /// The token of this generation is the one that counts.
    pub const fn accept(&mut self, generation: u64) {
        *self = Self::from(generation);
    }

    /// Claims to make the next token; what was claimed before, and not outdone, is claimed again.
    pub fn claim(&mut self, me: NodeId) -> Claim {
        if self.candidate != Some(me) {
            self.latest = self.latest.saturating_add(1);
            self.candidate = Some(me);
        }
        Claim { generation: self.latest, candidate: me }
    }

    /// A claim comes while the token is not here.
    pub fn hear(&mut self, claim: Claim, me: NodeId) -> Heard {
        let Claim { generation, candidate } = claim;
        let best = self.candidate.map(|candidate| Claim { generation: self.latest, candidate });
        if best == Some(claim) && candidate == me {
            return Heard::Won;
        }
        // One's own that one does not know of any more is from an earlier life.
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
