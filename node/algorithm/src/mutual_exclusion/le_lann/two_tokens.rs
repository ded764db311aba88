//! Misra 1983, "Detecting Termination of Distributed Computations Using Markers", PODC, which detects a lost token
//! by means of a second one; as in Raynal 1988, "Distributed Algorithms and Protocols".
//!
//! PING is the privilege. PONG travels round the same ring and never rests. Both carry the same number, the paper's
//! `nbping` = −`nbpong`. The number increases whenever both tokens are at one process. Each process remembers which of
//! the two tokens it saw last, and with which number. These are the sign and the absolute value of the paper's `m`. If
//! the same token returns with the same number, it has gone round without meeting the other token. Links keep order,
//! so two existing tokens would have met. Therefore the other token is lost, and the process regenerates the lost
//! token with the next number.

use super::{LeLann, LeLannMessage, Reason, Token};
use crate::prelude::*;

/// One of the two tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
enum Which {
    Ping,
    Pong,
}

/// The token that a process has seen last, with its number; initially none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(super) struct Marks {
    last: Option<(Which, u64)>,
}

/// The conclusion that a process draws from the arrival of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shows {
    /// Nothing.
    Nothing,
    /// The token that has not arrived is lost.
    OtherLost,
    /// The token that has arrived is an old one: the number of both tokens has increased since it was sent.
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
            // The recorded number does not increase at this point. So this token must arrive twice with its new number
            // before the process concludes again that the other token is lost.
            Some(seen) if seen == (which, number) => Shows::OtherLost,
            _ => Shows::Nothing,
        }
    }

    /// Returns the recorded number, which [grows](Algorithm::growing).
    pub fn number_mut(&mut self) -> Option<&mut u64> {
        self.last.as_mut().map(|(_, number)| number)
    }

    /// Returns the paper's `m`.
    pub fn shown(self) -> i64 {
        let number = |number| i64::try_from(number).unwrap_or(i64::MAX);
        self.last.map_or(0, |(which, seen)| if which == Which::Ping { number(seen) } else { -number(seen) })
    }
}

/// Returns the number that follows `number`.
const fn next(number: u64) -> u64 {
    number.saturating_add(1)
}

impl LeLann {
    /// Handles the arrival of PING.
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

    /// Handles the arrival of PONG, and passes it on.
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
