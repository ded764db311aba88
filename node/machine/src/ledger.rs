//! Ledger of the requests of one process. After a command, a process must report certain outcomes in a certain
//! order, and some of these outcomes in the same step. The ledger checks these rules.
//!
//! A node checks each answer of a user's program with the ledger before it executes any effect of the answer. The
//! algorithms of the catalogue satisfy the same rules (`orchestrator/observation/src/monitor/ledger_tests.rs`).

mod error;

use interlock_algorithm::FlatMap;
use interlock_algorithm::{Command, LockId, NodeId, Outcome, RequestId};

pub use error::{Claim, LedgerError, Open};

/// The requests of one incarnation of a process.
#[derive(Clone, Debug, Default)]
pub struct Ledger {
    /// Whether a process may hold several units of a lock. If so, each unit is a separate request, and the requests
    /// for several units have successive numbers.
    shares: bool,
    /// Whether a holder may leave the critical section without a release by its client, because the holder's lease
    /// has ended.
    leases: bool,
    claims: FlatMap<Claim, Stage>,
}

/// The stage of a request for one lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// The client has sent the request in this step, and the process has not reported `requested` yet.
    Asked,
    /// The process has reported `requested`.
    Wanted,
    /// The process has reported `entered`.
    Inside,
    /// The client has sent the release in this step.
    Leaving,
    /// The process has reported `exited` without a release by the client. This is valid only if an abort follows in
    /// the same step.
    GivenBack,
}

impl Ledger {
    /// Creates an empty ledger. `shares` is true if a process may hold several units of a lock. `leases` is true if
    /// a holder may leave without a release.
    #[must_use]
    pub fn new(shares: bool, leases: bool) -> Self {
        Self { shares, leases, claims: FlatMap::new() }
    }

    /// Records a command that the client sends to the process, at the beginning of a step.
    pub fn command(&mut self, command: &Command) {
        match command {
            Command::Acquire { lock, request } => self.ask(*lock, *request),
            Command::AcquireTogether { locks, request } => {
                for (place, lock) in (0..).zip(locks) {
                    let number = if self.shares { request.0.saturating_add(place) } else { request.0 };
                    self.ask(*lock, RequestId(number));
                }
            }
            Command::Release { lock, request } => {
                if let Some(stage) = self.claims.get_mut(&Claim(*lock, *request)) {
                    *stage = Stage::Leaving;
                }
            }
            Command::Elect | Command::Propose { .. } | Command::Invoke { .. } | Command::Corrupt { .. } => {}
        }
    }

    fn ask(&mut self, lock: LockId, request: RequestId) {
        self.claims.insert(Claim(lock, request), Stage::Asked);
    }

    /// Checks the outcomes that a process reports in a step, and ends the step.
    ///
    /// # Errors
    /// The first violation of a rule.
    pub fn step<'a>(&mut self, outcomes: impl IntoIterator<Item = &'a Outcome>) -> Result<(), LedgerError> {
        outcomes.into_iter().try_for_each(|outcome| self.take(outcome))?;
        self.close()
    }

    fn take(&mut self, outcome: &Outcome) -> Result<(), LedgerError> {
        match outcome {
            Outcome::Requested { lock, request, .. } => self.requested(Claim(*lock, *request)),
            Outcome::Entered { lock, request, .. } => self.entered(Claim(*lock, *request)),
            Outcome::Exited { lock, request } => self.exited(Claim(*lock, *request)),
            Outcome::Blocked { lock, request, on } => self.blocked(Claim(*lock, *request), on),
            Outcome::Aborted { request, .. } => self.aborted(*request),
            Outcome::Reported { cycle, victim } => reported(cycle, *victim),
            _ => Ok(()),
        }
    }

    fn requested(&mut self, claim: Claim) -> Result<(), LedgerError> {
        match self.claims.get_mut(&claim) {
            Some(stage @ Stage::Asked) => {
                *stage = Stage::Wanted;
                Ok(())
            }
            Some(_) => Err(LedgerError::Twice("requested", claim)),
            None => Err(self.unknown("requested", claim)),
        }
    }

    fn entered(&mut self, claim: Claim) -> Result<(), LedgerError> {
        match self.claims.get_mut(&claim) {
            Some(stage @ Stage::Wanted) => {
                *stage = Stage::Inside;
                Ok(())
            }
            Some(Stage::Asked) => Err(LedgerError::NotRequested(claim)),
            Some(_) => Err(LedgerError::Inside(claim)),
            None => Err(self.unknown("entered", claim)),
        }
    }

    fn exited(&mut self, claim: Claim) -> Result<(), LedgerError> {
        match self.claims.get_mut(&claim) {
            Some(Stage::Leaving) => {
                self.claims.remove(&claim);
                Ok(())
            }
            Some(Stage::Inside) if self.leases => {
                self.claims.remove(&claim);
                Ok(())
            }
            Some(stage @ Stage::Inside) => {
                *stage = Stage::GivenBack;
                Ok(())
            }
            Some(Stage::Asked | Stage::Wanted) => Err(LedgerError::NotEntered(claim)),
            Some(Stage::GivenBack) => Err(LedgerError::Twice("exited", claim)),
            None => Err(self.unknown("exited", claim)),
        }
    }

    fn blocked(&self, claim: Claim, on: &[NodeId]) -> Result<(), LedgerError> {
        match self.claims.get(&claim) {
            Some(Stage::Wanted) if on.is_empty() => Err(LedgerError::BlockedOnNobody(claim)),
            Some(Stage::Wanted) => Ok(()),
            Some(_) => Err(LedgerError::NotWaiting(claim)),
            None => Err(self.unknown("blocked", claim)),
        }
    }

    /// Checks an abort. An abort ends a request for all its locks. So the process must already have left the
    /// critical sections of the locks that it held.
    fn aborted(&mut self, request: RequestId) -> Result<(), LedgerError> {
        let of_request = |(&Claim(lock, of), &stage): (&Claim, &Stage)| (of == request).then_some((lock, stage));
        let open: Vec<(LockId, Stage)> = self.claims.iter().filter_map(of_request).collect();
        if open.is_empty() {
            return Err(LedgerError::AbortNotOpen(request, self.open()));
        }
        let kept = open.iter().find(|(_, stage)| matches!(stage, Stage::Inside | Stage::Leaving));
        if let Some((lock, _)) = kept {
            return Err(LedgerError::AbortInside(request, *lock));
        }
        self.claims.retain(|Claim(_, of), _| *of != request);
        Ok(())
    }

    /// Ends a step. Checks that the process has reported all outcomes that the commands of this step require.
    fn close(&self) -> Result<(), LedgerError> {
        self.claims.iter().try_for_each(|(&claim, stage)| match stage {
            Stage::Asked => Err(LedgerError::MissingRequested(claim)),
            Stage::Leaving => Err(LedgerError::MissingExited(claim)),
            Stage::GivenBack => Err(LedgerError::ExitedEarly(claim)),
            Stage::Wanted | Stage::Inside => Ok(()),
        })
    }

    fn unknown(&self, what: &'static str, claim: Claim) -> LedgerError {
        LedgerError::NotOpen(what, claim, self.open())
    }

    fn open(&self) -> Open {
        Open(self.claims.keys().copied().collect())
    }
}

/// Checks the report of a deadlock: each process occurs in the cycle at most once, and the victim is in the cycle.
fn reported(cycle: &[NodeId], victim: NodeId) -> Result<(), LedgerError> {
    let twice = |(place, node): (usize, &NodeId)| cycle[..place].contains(node).then_some(*node);
    if cycle.len() < 2 {
        return Err(LedgerError::ShortCycle(cycle.len()));
    }
    if let Some(node) = cycle.iter().enumerate().find_map(twice) {
        return Err(LedgerError::Repeated(node));
    }
    if cycle.contains(&victim) {
        return Ok(());
    }
    Err(LedgerError::Outsider(victim))
}

#[cfg(test)]
mod tests {
    use interlock_algorithm::AbortCause;

    use super::*;

    const LOCK: LockId = LockId(0);
    const FIRST: RequestId = RequestId(1);
    const ACQUIRE: Command = Command::Acquire { lock: LOCK, request: FIRST };
    const RELEASE: Command = Command::Release { lock: LOCK, request: FIRST };

    fn requested(request: u64) -> Outcome {
        Outcome::requested(LOCK, RequestId(request))
    }

    fn entered(request: u64) -> Outcome {
        Outcome::Entered { lock: LOCK, request: RequestId(request), fence: None }
    }

    fn exited(request: u64) -> Outcome {
        Outcome::Exited { lock: LOCK, request: RequestId(request) }
    }

    fn aborted(request: u64) -> Outcome {
        Outcome::Aborted { request: RequestId(request), cause: AbortCause::Died }
    }

    fn blocked(on: &[u32]) -> Outcome {
        Outcome::Blocked { lock: LOCK, request: FIRST, on: on.iter().copied().map(NodeId).collect() }
    }

    fn cycle(nodes: &[u32], victim: u32) -> Outcome {
        Outcome::Reported { cycle: nodes.iter().copied().map(NodeId).collect(), victim: NodeId(victim) }
    }

    /// Executes `steps`. Each step consists of a command, if there is one, and then the outcomes. Returns the first
    /// violation.
    fn judge(leases: bool, steps: &[(Option<&Command>, &[Outcome])]) -> Result<(), LedgerError> {
        let mut ledger = Ledger::new(false, leases);
        steps.iter().try_for_each(|(command, outcomes)| {
            if let Some(command) = command {
                ledger.command(command);
            }
            ledger.step(*outcomes)
        })
    }

    #[test]
    fn a_request_goes_from_requested_through_entered_to_exited() {
        let (ask, leave) = (Some(&ACQUIRE), Some(&RELEASE));
        for steps in [
            &[(ask, &[requested(1), entered(1)][..]), (leave, &[exited(1)])][..],
            &[
                (ask, &[requested(1)]),
                (None, &[]),
                (None, &[blocked(&[2])]),
                (None, &[entered(1)]),
                (leave, &[exited(1)]),
            ],
            &[(ask, &[requested(1)]), (None, &[aborted(1)]), (ask, &[requested(1), entered(1)])],
            &[(ask, &[requested(1), entered(1)]), (None, &[exited(1), aborted(1)])],
            &[(None, &[cycle(&[0, 2], 2)])],
        ] {
            assert_eq!(judge(false, steps), Ok(()), "{steps:?}");
        }
        let leased = [(ask, &[requested(1), entered(1)][..]), (None, &[exited(1)])];
        assert_eq!(judge(true, &leased), Ok(()));
    }

    #[test]
    fn each_other_order_is_named() {
        let (ask, leave) = (Some(&ACQUIRE), Some(&RELEASE));
        let inside = (ask, &[requested(1), entered(1)][..]);
        for (steps, part) in [
            (&[(ask, &[entered(1)][..])][..], "without `requested`, which comes first"),
            (&[(ask, &[])], "does not report `requested`"),
            (&[(ask, &[requested(1), requested(1)])], "`requested` of lock 0 by request 1 twice"),
            (&[(None, &[requested(1)])], "not open: no request is open"),
            (&[(ask, &[requested(1), entered(8)])], "request 8, which is not open; open: request 1 for lock 0"),
            (&[(ask, &[requested(1), entered(1), entered(1)])], "`entered` of lock 0 by request 1 twice"),
            (&[inside, (None, &[entered(1)])], "twice"),
            (&[inside, (leave, &[])], "does not report `exited`"),
            (&[inside, (leave, &[exited(1), exited(1)])], "which is not open"),
            (&[inside, (leave, &[exited(2)])], "request 2, which is not open"),
            (&[inside, (None, &[exited(1)])], "before its client leaves"),
            (&[inside, (None, &[exited(1), exited(1)])], "`exited` of lock 0 by request 1 twice"),
            (&[(ask, &[requested(1), exited(1)])], "has not entered"),
            (&[inside, (None, &[aborted(1)])], "still has lock 0: `exited` comes first"),
            (&[inside, (leave, &[aborted(1)])], "still has lock 0: `exited` comes first"),
            (&[(None, &[aborted(1)])], "aborted` of request 1, which is not open"),
            (&[inside, (None, &[blocked(&[2])])], "does not wait"),
            (&[(ask, &[requested(1), blocked(&[])])], "`on` is empty"),
            (&[(None, &[blocked(&[2])])], "not open"),
            (&[(None, &[cycle(&[0], 0)])], "at least 2"),
            (&[(None, &[cycle(&[0, 1, 0], 0)])], "names node 0 twice"),
            (&[(None, &[cycle(&[0, 1], 2)])], "not part of it"),
        ] {
            let found = judge(false, steps);
            assert!(found.as_ref().is_err_and(|said| said.to_string().contains(part)), "{steps:?}: {found:?}");
        }
    }

    #[test]
    fn an_abort_ends_one_request() {
        let second = Command::Acquire { lock: LockId(1), request: RequestId(2) };
        let asked = Outcome::requested(LockId(1), RequestId(2));
        let mut ledger = Ledger::new(false, false);
        for command in [&ACQUIRE, &second] {
            ledger.command(command);
        }
        assert_eq!(ledger.step(&[requested(1), asked]), Ok(()));
        assert_eq!(ledger.step(&[aborted(1)]), Ok(()));
        assert!(
            ledger
                .clone()
                .step(&[entered(1)])
                .is_err_and(|said| said.to_string().contains("request 1, which is not open"))
        );
        let second_entered = Outcome::Entered { lock: LockId(1), request: RequestId(2), fence: None };
        assert_eq!(ledger.step(&[second_entered]), Ok(()));
    }

    #[test]
    fn locks_asked_for_together_are_counted_one_by_one() {
        let locks = vec![LOCK, LockId(1)];
        let together = Command::AcquireTogether { locks, request: FIRST };
        let of = |lock, request| Outcome::requested(LockId(lock), RequestId(request));
        for (shares, second) in [(false, 1), (true, 2)] {
            let mut ledger = Ledger::new(shares, false);
            ledger.command(&together);
            assert_eq!(ledger.step(&[of(0, 1), of(1, second)]), Ok(()), "{shares}");
            ledger.command(&together);
            assert!(ledger.step(&[of(0, 1)]).is_err(), "the second is missing");
        }
    }
}
