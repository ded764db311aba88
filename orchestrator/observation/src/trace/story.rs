//! A run as people would tell it: a sentence for each step, with its reason, and the state of the one process that moved
//! before and after.

use std::io;

use interlock_algorithm::{FlatMap, NodeId};
use serde::Serialize;

use super::moment::{Moment, moments};
use super::words;
use crate::monitor;
use interlock_model::event::{Event, Json};

/// What was told of a run so far: it knows what each process looked like.
#[derive(Clone, Debug, Default)]
pub struct Story {
    views: FlatMap<NodeId, Json>,
}

/// One thing that happened, told.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Told {
    /// The sentence.
    pub sentence: String,
    /// Why, what the process looked like before and after, and which rules were broken: a line each.
    pub details: Vec<String>,
}

impl Story {
    /// Tells the next events of a run.
    pub fn tell(&mut self, events: &[Event]) -> Vec<Told> {
        moments(events).iter().filter_map(|moment| self.told(moment)).collect()
    }

    fn told(&mut self, moment: &Moment) -> Option<Told> {
        let states = self.states(moment);
        let mut found = moment.found.iter().map(|violation| words::on_one_line(&monitor::sentence(violation)));
        let Some(sentence) = words::of_moment(moment) else {
            // A rule may be found broken where nothing else is worth a word.
            return found.next().map(|sentence| Told { sentence, details: found.collect() });
        };
        let because = moment.because().iter().map(words::reason).collect::<Vec<_>>();
        let because = (!because.is_empty()).then(|| format!("because: {}", because.join("; ")));
        Some(Told { sentence, details: because.into_iter().chain(states).chain(found).collect() })
    }

    /// What the process that moved looked like before and after, if that is known.
    fn states(&mut self, moment: &Moment) -> Vec<String> {
        let (Some(at), Some(after)) = (moment.step(), moment.view()) else { return Vec::new() };
        match self.views.insert(at.node, after.clone()) {
            Some(before) if before == *after => vec![format!("still:  {}", words::view(after))],
            Some(before) => {
                vec![format!("before: {}", words::view(&before)), format!("after:  {}", words::view(after))]
            }
            None => vec![format!("after:  {}", words::view(after))],
        }
    }
}

/// Writes all of a run, with numbers.
pub(super) fn write(events: &[Event], out: &mut impl io::Write) -> io::Result<()> {
    for (place, Told { sentence, details }) in Story::default().tell(events).into_iter().enumerate() {
        writeln!(out, "{:>4}  {sentence}", place + 1)?;
        details.iter().try_for_each(|detail| writeln!(out, "        {detail}"))?;
    }
    Ok(())
}
