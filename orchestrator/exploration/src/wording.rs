//! Descriptions of the environment of an exploration in words.

use super::environment::{Beginning, Daemon, Environment, TimerPolicy};
use interlock_model::specification::Detector;

impl Environment {
    /// Describes all assumptions of the environment in words.
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
        let order = if *fifo { "messages of a link keep their order" } else { "messages can overtake" };
        let mut words: Vec<String> = begun(beginning).into_iter().collect();
        let asks = if *unlimited { "each client requests again and again".to_owned() } else { asks(requests) };
        words.extend([asks, order.to_owned()]);
        words.extend(moves(*daemon).map(ToOwned::to_owned));
        words.extend(take.as_ref().map(|locks| format!("in a round it takes the locks `{locks}`")));
        words.extend(again.map(|times| format!("after an abort it requests again at most {times} times")));
        words.extend(room.map(|room| format!("a link holds {room} messages")));
        let budgets = [
            (*lose, "lost messages"),
            (*duplicate, "copied"),
            (*crash, "crashes"),
            (*pause, "pauses"),
            (*corrupt, "overwritten states"),
            (*tell, "messages of the application"),
        ];
        words.extend(budgets.iter().filter(|(most, _)| *most > 0).map(|(most, what)| format!("at most {most} {what}")));
        match (*restart, *forget) {
            (true, false) => words.push("crashed processes restart with their stored state".to_owned()),
            (true, true) => words.push("crashed processes restart without stored state".to_owned()),
            (false, _) => {}
        }
        words.extend(told(*detector).map(ToOwned::to_owned));
        words.push(match timers {
            TimerPolicy::Patient => "timers fire when no message is in transit".to_owned(),
            TimerPolicy::Always => "timers fire at any time".to_owned(),
            TimerPolicy::AnyTime(times) => format!("timers fire at any time, at most {times} times"),
        });
        words.join(", ")
    }
}

/// Describes the number of requests of the clients.
fn asks(requests: &[u8]) -> String {
    let asks: Vec<String> = requests.iter().map(ToString::to_string).collect();
    match &*asks.join(", ") {
        "0" => "no client requests".to_owned(),
        "1" => "each client requests once".to_owned(),
        times => format!("each client requests {times} times"),
    }
}

/// Describes the initial states of the processes. Returns none if they are the usual states.
fn begun(beginning: &Beginning) -> Option<String> {
    match beginning {
        Beginning::Usual => None,
        Beginning::States(states) => {
            let states: Vec<String> = states.iter().map(ToString::to_string).collect();
            Some(format!("processes begin in the states {}", states.join(", ")))
        }
        Beginning::Arbitrary { contents: 0 } => Some("processes begin in arbitrary states".to_owned()),
        Beginning::Arbitrary { contents } => Some(format!(
            "processes begin in arbitrary states, with up to {contents} messages of any kind on each link"
        )),
    }
}

/// Describes how processes are notified of crashes. Returns none if there is no failure detector.
const fn told(detector: Detector) -> Option<&'static str> {
    match detector {
        Detector::None => None,
        Detector::Perfect => Some("live processes are notified of each crash and restart, sooner or later"),
        Detector::Heartbeat(_) => Some("live processes detect crashes by missing heartbeats"),
    }
}

/// Describes which processes move at the same time. Returns none if only one process moves at a time.
const fn moves(daemon: Daemon) -> Option<&'static str> {
    match daemon {
        Daemon::Central => None,
        Daemon::Distributed => Some("any number of enabled processes move at once (distributed daemon)"),
        Daemon::Synchronous => Some("all enabled processes move at once (synchronous daemon)"),
    }
}
