//! The wording of what may happen in an exploration.

use super::environment::{Beginning, Daemon, Environment, TimerPolicy};
use interlock_model::specification::Detector;

impl Environment {
    /// Returns all assumptions in words.
    #[must_use]
    pub fn in_words(&self) -> String {
        let Self {
            beginning,
            daemon,
            fifo,
            room,
            lose,
            duplicate,
            crash,
            pause,
            restart,
            forget,
            detector,
            timers,
            ..
        } = self;
        let Self { corrupt, tell, requests, unlimited, take, again, .. } = self;
        let order = if *fifo { "messages of a link keep their order" } else { "messages overtake" };
        let mut words: Vec<String> = begun(beginning).into_iter().collect();
        let asks = if *unlimited { "each asks again and again".to_owned() } else { asks(requests) };
        words.extend([asks, order.to_owned()]);
        words.extend(moves(*daemon).map(ToOwned::to_owned));
        words.extend(take.as_ref().map(|locks| format!("in a round it takes the locks `{locks}`")));
        words.extend(again.map(|times| format!("asks again after an abort {times} times at most")));
        words.extend(room.map(|room| format!("a link holds {room} messages")));
        let budgets = [
            (*lose, "messages lost"),
            (*duplicate, "copied"),
            (*crash, "crashes"),
            (*pause, "pauses"),
            (*corrupt, "states overwritten"),
            (*tell, "messages of the application"),
        ];
        words.extend(budgets.iter().filter(|(most, _)| *most > 0).map(|(most, what)| format!("at most {most} {what}")));
        match (*restart, *forget) {
            (true, false) => words.push("the dead come back with what they had stored".to_owned()),
            (true, true) => words.push("the dead come back with nothing".to_owned()),
            (false, _) => {}
        }
        words.extend(told(*detector).map(ToOwned::to_owned));
        words.push(match timers {
            TimerPolicy::Patient => "timers run out when nothing is under way".to_owned(),
            TimerPolicy::Always => "timers run out at any time".to_owned(),
            TimerPolicy::AnyTime(times) => format!("timers run out at any time, {times} times at most"),
        });
        words.join(", ")
    }
}

/// Returns how many times clients request.
fn asks(requests: &[u8]) -> String {
    let asks: Vec<String> = requests.iter().map(ToString::to_string).collect();
    match &*asks.join(", ") {
        "0" => "nobody asks".to_owned(),
        "1" => "each asks once".to_owned(),
        times => format!("each asks {times} times"),
    }
}

/// Returns how processes begin, if not as usual.
fn begun(beginning: &Beginning) -> Option<String> {
    match beginning {
        Beginning::Usual => None,
        Beginning::States(states) => {
            let states: Vec<String> = states.iter().map(ToString::to_string).collect();
            Some(format!("processes begin in the states {}", states.join(", ")))
        }
        Beginning::Arbitrary { contents: 0 } => Some("processes begin in any states".to_owned()),
        Beginning::Arbitrary { contents } => {
            Some(format!("processes begin in any states, with up to {contents} messages of any kind on each link"))
        }
    }
}

/// Returns which processes are notified of crashes, if any are.
const fn told(detector: Detector) -> Option<&'static str> {
    match detector {
        Detector::None => None,
        Detector::Perfect => Some("the living are told of each death and return, sooner or later"),
        Detector::Heartbeat(_) => Some("the living miss the dead by their heartbeats"),
    }
}

/// Returns which processes move at a time, if not one.
const fn moves(daemon: Daemon) -> Option<&'static str> {
    match daemon {
        Daemon::Central => None,
        Daemon::Distributed => Some("any that can move do so at once (distributed daemon)"),
        Daemon::Synchronous => Some("all that can move do so at once (synchronous daemon)"),
    }
}
