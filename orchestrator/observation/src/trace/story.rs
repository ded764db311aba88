//! A run as a story: a sentence for each step, with the reason, and with the state of the process before and after the
//! step.

use std::io;

use interlock_algorithm::{FlatMap, NodeId};
use serde::Serialize;

use super::moment::{Moment, moments};
use super::words;
use crate::monitor;
use interlock_model::event::{Event, Json};

/// A story that is written in parts. Between the parts, it stores the latest view of each process.
#[derive(Clone, Debug, Default)]
pub struct Story {
    views: FlatMap<NodeId, Json>,
}

/// One sentence of a story with its details.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Told {
    /// The sentence.
    pub sentence: String,
    /// The details, one per line: the reason, the views of the process before and after the step, and the properties
    /// violated.
    pub details: Vec<String>,
}

impl Story {
    /// Returns the sentences for the next events of a run.
    pub fn tell(&mut self, events: &[Event]) -> Vec<Told> {
        moments(events).iter().filter_map(|moment| self.told(moment)).collect()
    }

    fn told(&mut self, moment: &Moment) -> Option<Told> {
        let states = self.states(moment);
        let mut found = moment.found.iter().map(|violation| words::on_one_line(&monitor::sentence(violation)));
        let Some(sentence) = words::of_moment(moment) else {
            // A violation may be found at a moment that has no sentence. The sentence of the violation then takes its
            // place.
            return found.next().map(|sentence| Told { sentence, details: found.collect() });
        };
        let because = moment.because().iter().map(words::reason).collect::<Vec<_>>();
        let because = (!because.is_empty()).then(|| format!("because: {}", because.join("; ")));
        Some(Told { sentence, details: because.into_iter().chain(states).chain(found).collect() })
    }

    /// Returns the views of the process before and after its step, if they are known.
    fn states(&mut self, moment: &Moment) -> Vec<String> {
        let (Some(at), Some(after)) = (moment.step(), moment.view()) else { return Vec::new() };
        match self.views.insert(at.node, after.clone()) {
            Some(before) if before == *after => vec![format!("same:   {}", words::view(after))],
            Some(before) => {
                vec![format!("before: {}", words::view(&before)), format!("after:  {}", words::view(after))]
            }
            None => vec![format!("after:  {}", words::view(after))],
        }
    }
}

/// Writes the whole story of a run, with numbered sentences.
pub(super) fn write(events: &[Event], out: &mut impl io::Write) -> io::Result<()> {
    for (place, Told { sentence, details }) in Story::default().tell(events).into_iter().enumerate() {
        writeln!(out, "{:>4}  {sentence}", place + 1)?;
        details.iter().try_for_each(|detail| writeln!(out, "        {detail}"))?;
    }
    Ok(())
}
