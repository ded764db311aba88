//! Misra 1983, "Detecting Termination of Distributed Computations Using Markers", PODC, which finds that a token is lost
//! by means of a second one; as in Raynal 1988, "Distributed Algorithms and Protocols".
//!
//! PING is the privilege, PONG goes round the same ring and never rests. Both have the same number, the paper's `nbping` =
//! −`nbpong`, which grows whenever they are at one process together. Each process remembers which of the two it has seen
//! last, and its number: the paper's `m`, of which they are sign and amount. If the same comes again with the same number,
//! it has been round, and has met the other neither here nor elsewhere: as links keep order it would have, if there were
//! another. So that is lost, and made anew with the next number.

use super::{LeLann, LeLannMessage, Reason, Token};
use crate::prelude::*;

/// One of the two tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
enum Which {
    Ping,
    Pong,
}

/// Which of the two tokens a process has seen last, and with which number: none at first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(super) struct Marks {
    last: Option<(Which, u64)>,
}

/// What a token that comes shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shows {
    /// Nothing.
    Nothing,
    /// The other is lost.
    OtherLost,
    /// It is an old one itself: both numbers have grown since.
    Old,
}

impl Marks {
    fn see(&mut self, which: Which, number: u64) -> Shows {
        let last = self.last.replace((which, number));
        match last {
            Some((_, latest)) if number < latest => {
                self.last = last;
                Shows::Old
            }
            // The number is left as it was, for the next one is to be seen twice again.
            Some(seen) if seen == (which, number) => Shows::OtherLost,
            _ => Shows::Nothing,
        }
    }

    /// The number, as one [that grows](Algorithm::growing).
    pub fn number_mut(&mut self) -> Option<&mut u64> {
        self.last.as_mut().map(|(_, number)| number)
    }

    /// The paper's `m`.
    pub fn shown(self) -> i64 {
        let number = |number| i64::try_from(number).unwrap_or(i64::MAX);
        self.last.map_or(0, |(which, seen)| if which == Which::Ping { number(seen) } else { -number(seen) })
    }
}

/// The number after this one.
const fn next(number: u64) -> u64 {
    number.saturating_add(1)
}

impl LeLann {
    /// PING has come.
    pub(super) fn pinged(&mut self, from: NodeId, number: u64, turn: &mut Turn<Self>) {
        let Some(marks) = &mut self.marks else { return turn.because(Reason::Unexpected { from }) };
        if self.token.is_some() {
            return turn.because(Reason::SecondToken { from });
        }
        let number = match marks.see(Which::Ping, number) {
            Shows::Old => return turn.because(Reason::OldToken { from, generation: number }),
            Shows::Nothing => number,
            Shows::OtherLost => {
                let number = next(number);
                turn.because(Reason::PongLost { number });
                turn.send(turn.successor(), LeLannMessage::Pong { number });
                number
            }
        };
        self.take(Token { generation: number, entries: 0 }, turn);
    }

    /// PONG has come, and goes on.
    pub(super) fn ponged(&mut self, from: NodeId, number: u64, turn: &mut Turn<Self>) {
        let Some(marks) = &mut self.marks else { return turn.because(Reason::Unexpected { from }) };
        let shows = marks.see(Which::Pong, number);
        if shows == Shows::Old {
            return turn.because(Reason::OldToken { from, generation: number });
        }
        let number = if let Some(ping) = &mut self.token {
            ping.generation = next(number.max(ping.generation));
            turn.because(Reason::Met { number: ping.generation });
            ping.generation
        } else if shows == Shows::OtherLost {
            let number = next(number);
            turn.because(Reason::PingLost { number });
            self.take(Token { generation: number, entries: 0 }, turn);
            number
        } else {
            number
        };
        turn.send(turn.successor(), LeLannMessage::Pong { number });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_token_twice_with_the_same_number_shows_that_the_other_is_lost() {
        let mut marks = Marks::default();
        assert_eq!(marks.see(Which::Ping, 1), Shows::Nothing);
        assert_eq!(marks.see(Which::Pong, 1), Shows::Nothing, "they passed here one after the other");
        assert_eq!(marks.see(Which::Pong, 2), Shows::Nothing, "they have met");
        assert_eq!(marks.see(Which::Pong, 2), Shows::OtherLost);
        assert_eq!(marks.see(Which::Ping, 1), Shows::Old);
        assert_eq!((marks.see(Which::Ping, 3), marks.shown()), (Shows::Nothing, 3));
    }
}
