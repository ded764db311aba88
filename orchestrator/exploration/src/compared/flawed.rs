//! An explorer with a deliberate error, which the comparison with Stateright must find.

use interlock_algorithm::{NodeId, Show, View};

use crate::arrival::Brought;
use crate::notice::Notice;
use crate::participants::Participants;
use crate::parts::{Facts, LocalStep, LocalStepKind, Parts, Step};
use interlock_observation::state::Capacities;

/// Deliberate error of the explorer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flaw {
    /// No error.
    Nothing,
    /// If the client of a process could continue a round, the last local step of the process is left out.
    SuccessorSkipped,
    /// When a process receives a message, the first message that it sends in response is not put in transit.
    MessageForgotten,
    /// The second delivery does not change its receiver.
    StepIgnored,
    /// The successors of one state are left out, as if the block of states had ended before this state.
    StatePassedOver,
    /// Processes are not notified of crashes.
    DeathUntold,
    /// Processes are not notified of restarts.
    ReturnUntold,
    /// The notice of a restart does not overtake the messages that the process sent before its crash.
    ReturnInLine,
    /// No process is ever seen in a critical section, so a violation of mutual exclusion is missed.
    PropertyIgnored,
}

/// The parts of an exploration (processes and messages), with a deliberate error.
pub struct Flawed<'a> {
    right: Box<dyn Parts + 'a>,
    flaw: Flaw,
    facts: Vec<Facts>,
    heard: usize,
}

impl<'a> Flawed<'a> {
    pub fn new(right: Box<dyn Parts + 'a>, flaw: Flaw) -> Self {
        Self { right, flaw, facts: Vec::new(), heard: 0 }
    }

    /// Stores the facts about the processes up to this number. If the error concerns facts, the stored facts are
    /// wrong.
    fn note(&mut self, process: u32) {
        for next in self.facts.len()..=process as usize {
            let next = u32::try_from(next).unwrap_or(u32::MAX);
            let mut facts = self.right.facts(next).clone();
            match self.flaw {
                Flaw::PropertyIgnored => facts.inside = Box::default(),
                Flaw::DeathUntold => facts.suspects = Participants::ALL,
                Flaw::ReturnUntold => facts.takes_part = false,
                _ => {}
            }
            self.facts.push(facts);
        }
    }
}

impl Parts for Flawed<'_> {
    fn begin(&mut self, me: NodeId, state: Option<u64>) -> Option<Step> {
        let step = self.right.begin(me, state)?;
        self.note(step.process);
        Some(step)
    }

    fn arbitrary_message(&mut self, from: NodeId, to: NodeId, choice: u64) -> Option<u32> {
        self.right.arbitrary_message(from, to, choice)
    }

    fn local_steps(&mut self, process: u32, me: NodeId) -> Vec<LocalStep> {
        let mut local_steps = self.right.local_steps(process, me);
        for local_step in &local_steps {
            self.note(local_step.step.process);
        }
        let goes_on = |local_step: &LocalStep| local_step.kind == LocalStepKind::GoesOn;
        if self.flaw == Flaw::SuccessorSkipped && local_steps.iter().any(goes_on) {
            local_steps.pop();
        }
        local_steps
    }

    fn hear(&mut self, process: u32, me: NodeId, message: u32) -> Step {
        let mut step = self.right.hear(process, me, message);
        self.note(step.process);
        self.heard += 1;
        match self.flaw {
            Flaw::MessageForgotten => step.sent = step.sent.iter().copied().skip(1).collect(),
            Flaw::StepIgnored if self.heard == 2 => step.process = process,
            _ => {}
        }
        step
    }

    fn overtake(&mut self, process: u32) -> u32 {
        let overtaking = self.right.overtake(process);
        self.note(overtaking);
        overtaking
    }

    fn outlive(&mut self, process: u32, whom: NodeId) -> u32 {
        let outliving = self.right.outlive(process, whom);
        self.note(outliving);
        outliving
    }

    fn tell(&mut self, whom: NodeId, notice: Notice) -> u32 {
        self.right.tell(whom, notice)
    }

    fn notice(&self, message: u32) -> Option<Notice> {
        let notice = self.right.notice(message);
        notice.filter(|notice| self.flaw != Flaw::ReturnInLine || *notice == Notice::Death)
    }

    fn sender(&self, message: u32) -> NodeId {
        self.right.sender(message)
    }

    fn brings(&self, message: u32) -> Option<Brought> {
        self.right.brings(message)
    }

    fn facts(&self, process: u32) -> &Facts {
        &self.facts[process as usize]
    }

    fn capacities(&self) -> Capacities {
        self.right.capacities()
    }

    fn is_instantaneous(&self) -> bool {
        self.right.is_instantaneous()
    }

    fn privileges(&self, processes: &[u32], in_transit: &[(NodeId, u32)]) -> Option<usize> {
        self.right.privileges(processes, in_transit)
    }

    fn view(&self, process: u32, me: NodeId) -> View {
        self.right.view(process, me)
    }

    fn message(&self, message: u32) -> serde_json::Value {
        self.right.message(message)
    }

    fn look(&self, processes: &mut dyn Iterator<Item = u32>) {
        self.right.look(processes);
    }

    fn growing(&self, process: u32, show: &mut Show<'_>) {
        self.right.growing(process, show);
    }

    fn growing_in(&self, message: u32, show: &mut Show<'_>) {
        self.right.growing_in(message, show);
    }

    fn lessened(&mut self, process: u32, by: &[u64]) -> u32 {
        let lessened = self.right.lessened(process, by);
        self.note(lessened);
        lessened
    }

    fn lessened_message(&mut self, message: u32, by: &[u64]) -> u32 {
        self.right.lessened_message(message, by)
    }

    fn memory(&self) -> usize {
        self.right.memory()
    }
}
