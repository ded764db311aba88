//! A process's knowledge of the generations of the token, and of claims to make the next generation. Each token that
//! replaces a lost one has the next generation.
//!
//! A process that passes on a claim to make a token accepts no older token from then on. So when a claim has gone
//! round, no process has an older token. An older token in transit is no longer accepted, whether it was lost or only
//! late.

use crate::prelude::*;

/// A claim to make a token. Of two claims, the one with the later generation is better. If the generations are equal,
/// the claim of the greater candidate is better, as in the election of Chang and Roberts.
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
    /// Best candidate that claims to make the token of generation `latest`; `None` once that token exists.
    candidate: Option<NodeId>,
    /// Whether this process has come back after a crash and has seen no token since.
    is_back: bool,
}

/// The treatment of a token that arrives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Came {
    /// The token is accepted.
    Counts,
    /// This process cannot determine whether the token is an old one, so it passes the token on unused. If the token
    /// is old, another process knows that.
    Unknown,
    /// The token is an old one and is not accepted.
    Old,
}

/// The treatment of a claim that arrives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Heard {
    /// The claim is passed on.
    GoesOn,
    /// The claim is this process's own and has gone round the ring.
    Won,
    /// The claim is not passed on.
    Stops,
}

impl Generations {
    /// Returns the knowledge of a process that knows a token of generation `latest`, or no token if `latest` is 0.
    pub const fn from(latest: u64) -> Self {
        Self { latest, candidate: None, is_back: false }
    }

    /// The knowledge of a process after a crash. It knows no generation and no claim.
    pub const FORGOTTEN: Self = Self { latest: 0, candidate: None, is_back: true };

    /// Returns the latest known generation.
    pub const fn latest(self) -> u64 {
        self.latest
    }

    /// Records that a token of generation `generation` has arrived, and returns how to treat it.
    pub fn see(&mut self, generation: u64) -> Came {
        if generation < self.latest {
            return Came::Old;
        }
        let was_back = self.is_back;
        self.accept(generation);
        if was_back { Came::Unknown } else { Came::Counts }
    }

    /// Records `generation` as the latest generation: from now on, a token of an earlier generation is not accepted.
    pub const fn accept(&mut self, generation: u64) {
        *self = Self::from(generation);
    }

    /// Returns this process's claim to make the next token. Repeats the previous claim of this process, unless a better
    /// claim has replaced the previous one.
    pub fn claim(&mut self, me: NodeId) -> Claim {
        if self.candidate != Some(me) {
            self.latest = self.latest.saturating_add(1);
            self.candidate = Some(me);
        }
        Claim { generation: self.latest, candidate: me }
    }

    /// Records a claim that arrives while another process has the token, and returns how to treat the claim.
    pub fn hear(&mut self, claim: Claim, me: NodeId) -> Heard {
        let Claim { generation, candidate } = claim;
        let best = self.candidate.map(|candidate| Claim { generation: self.latest, candidate });
        if best == Some(claim) && candidate == me {
            return Heard::Won;
        }
        // A claim may name this process as candidate although this process does not remember the claim. Such a claim
        // is from an earlier incarnation.
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
