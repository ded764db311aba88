//! The catalogue: the name, source and assumptions of each algorithm, and how to instantiate it.

use alloc::string::ToString;

use crate::agreement::paxos::Paxos;
use crate::agreement::replicated_lock::ReplicatedLock;
use crate::conduct::Conduct;
use crate::configuration::{Configuration, ParameterValue, Parameters, Refusal, Subject};
use crate::contract::Algorithm;
use crate::deadlock::banker::Banker;
use crate::deadlock::central_detection::CentralDetection;
use crate::deadlock::edge_chasing::EdgeChasing;
use crate::deadlock::prevention::Prevention;
use crate::deadlock::wait_die::WaitDie;
use crate::deadlock::wound_wait::WoundWait;
use crate::election::acknowledged_ring::AcknowledgedRing;
use crate::election::bully::Bully;
use crate::election::chang_roberts::ChangRoberts;
use crate::election::hirschberg_sinclair::HirschbergSinclair;
use crate::entry::{Entry, LockUse, Parameter};
use crate::erased::{Erased, ErasedSetting, Packed};
use crate::instances::{self, Instances};
use crate::mutual_exclusion::bakery::Bakery;
use crate::mutual_exclusion::carvalho_roucairol::CarvalhoRoucairol;
use crate::mutual_exclusion::centralised::Centralised;
use crate::mutual_exclusion::centralised_failover::CentralisedFailover;
use crate::mutual_exclusion::dijkstra_ring::DijkstraRing;
use crate::mutual_exclusion::lamport::Lamport;
use crate::mutual_exclusion::le_lann::LeLann;
use crate::mutual_exclusion::maekawa::Maekawa;
use crate::mutual_exclusion::naimi_trehel::NaimiTrehel;
use crate::mutual_exclusion::raymond::Raymond;
use crate::mutual_exclusion::ricart_agrawala::RicartAgrawala;
use crate::mutual_exclusion::ricart_agrawala_token::RicartAgrawalaToken;
use crate::mutual_exclusion::sanders::Sanders;
use crate::mutual_exclusion::suzuki_kasami::SuzukiKasami;
use crate::needs::Assumptions;
use crate::own::Own;
use crate::sentence::Sentence;

/// An operation on an algorithm of which the caller knows only the name. One `match` selects the algorithm's type once
/// for a whole run.
pub trait Visitor {
    /// The result of the operation.
    type Output;

    /// Executes the operation with the algorithm's type and the setting of the run.
    fn visit<A: Algorithm>(self, setting: A::Setting) -> Self::Output;
}

macro_rules! catalogue {
    (one lock: $($single:ty),+; any number of locks: $($other:ty),* $(,)?) => {
        /// All algorithms.
        pub static ENTRIES: &[Entry] = &[$(<$single as Algorithm>::ENTRY,)+ $(<$other as Algorithm>::ENTRY),*];

        /// Finds the algorithm that a configuration names, checks the configuration, and passes the type and
        /// setting to `visitor`.
        ///
        /// `visitor` is compiled for each algorithm. There is one exception: if a run has several locks and the
        /// algorithm manages one lock, the type is `Instances<Erased>`.
        ///
        /// # Errors
        /// Names the invalid part of the configuration and the valid values.
        pub fn instantiate<V: Visitor>(configuration: &Configuration<'_>, visitor: V) -> Result<V::Output, Refusal> {
            let entry = find(configuration.algorithm)?;
            if has_instances(entry, configuration) {
                return instantiate_erased(configuration, visitor);
            }
            check_variant(entry, configuration.variant)?;
            check_counts(entry, configuration)?;
            $(if entry.name == <$single as Algorithm>::ENTRY.name {
                return visit::<$single, V>(configuration, visitor);
            })+
            $(if entry.name == <$other as Algorithm>::ENTRY.name {
                return visit::<$other, V>(configuration, visitor);
            })*
            // The parameters of a foreign program are not checked here, because only its declaration lists them.
            if entry.name == OWN.name {
                return Own::configure(configuration).map(|setting| visitor.visit::<Own>(setting));
            }
            Err(unknown(configuration.algorithm))
        }

        /// Checks a configuration and makes the setting of one lock from it, as an erased type.
        fn erase(configuration: &Configuration<'_>) -> Result<ErasedSetting, Refusal> {
            let entry = find(configuration.algorithm)?;
            check_variant(entry, configuration.variant)?;
            check_counts(entry, configuration)?;
            $(if entry.name == <$single as Algorithm>::ENTRY.name {
                return erase_as::<$single>(configuration);
            })+
            $(if entry.name == <$other as Algorithm>::ENTRY.name {
                return erase_as::<$other>(configuration);
            })*
            if entry.name == OWN.name {
                return Own::configure(configuration).map(ErasedSetting::new::<Own>);
            }
            Err(unknown(configuration.algorithm))
        }

        /// Returns the sentences of the algorithm's reasons; an empty list if it gives no reasons.
        #[must_use]
        pub fn sentences(algorithm: &str) -> &'static [Sentence] {
            $(if algorithm == <$single as Algorithm>::ENTRY.name {
                return <$single as Algorithm>::SENTENCES;
            })+
            $(if algorithm == <$other as Algorithm>::ENTRY.name {
                return <$other as Algorithm>::SENTENCES;
            })*
            &[]
        }

        /// Returns the number of locks of a run that specifies none: see [`Algorithm::default_locks`].
        #[must_use]
        pub fn default_locks(configuration: &Configuration<'_>) -> u32 {
            $(if configuration.algorithm == <$other as Algorithm>::ENTRY.name {
                return <$other as Algorithm>::default_locks(configuration);
            })*
            1
        }
    };
}

// To add a new algorithm, add its file and two lines here.
catalogue! {
    one lock:
    Bakery,
    CarvalhoRoucairol,
    Centralised,
    CentralisedFailover,
    DijkstraRing,
    Lamport,
    LeLann,
    Maekawa,
    NaimiTrehel,
    Raymond,
    RicartAgrawala,
    RicartAgrawalaToken,
    Sanders,
    SuzukiKasami;
    any number of locks:
    AcknowledgedRing,
    Banker,
    Bully,
    CentralDetection,
    ChangRoberts,
    EdgeChasing,
    HirschbergSinclair,
    Paxos,
    Prevention,
    ReplicatedLock,
    WaitDie,
    WoundWait,
}

/// Does the same as [`instantiate`], but compiles `visitor` only twice: once for all algorithms, and once for
/// instances of an algorithm.
///
/// # Errors
/// Names the invalid part of the configuration and the valid values.
pub fn instantiate_erased<V: Visitor>(configuration: &Configuration<'_>, visitor: V) -> Result<V::Output, Refusal> {
    let each = erase(configuration)?;
    if !has_instances(find(configuration.algorithm)?, configuration) {
        return Ok(visitor.visit::<Erased>(each));
    }
    Ok(visitor.visit::<Instances<Erased>>(instances::Setting { each, locks: configuration.locks }))
}

/// Whether each lock of a run has its own instance of the algorithm.
fn has_instances(entry: &Entry, configuration: &Configuration<'_>) -> bool {
    entry.locks == LockUse::Instances && configuration.locks > 1
}

fn erase_as<A: Algorithm<Timer: Packed>>(configuration: &Configuration<'_>) -> Result<ErasedSetting, Refusal> {
    configuration.refuse_unknown_parameters(&A::ENTRY)?;
    A::configure(configuration).map(ErasedSetting::new::<A>)
}

fn visit<A: Algorithm, V: Visitor>(configuration: &Configuration<'_>, visitor: V) -> Result<V::Output, Refusal> {
    configuration.refuse_unknown_parameters(&A::ENTRY)?;
    A::configure(configuration).map(|setting| visitor.visit::<A>(setting))
}

/// The entry of users' own programs. [`ENTRIES`] does not contain this entry, because the algorithm belongs to the
/// user.
pub static OWN: Entry = Own::ENTRY;

/// Returns the entry whose name is `name`.
///
/// # Errors
/// Lists the valid names.
pub fn find(name: &str) -> Result<&'static Entry, Refusal> {
    named(name).ok_or_else(|| unknown(name))
}

fn named(name: &str) -> Option<&'static Entry> {
    ENTRIES.iter().chain([&OWN]).find(|entry| entry.name == name)
}

/// Returns the assumptions of the variant `variant` of an algorithm; none if there is no such algorithm.
#[must_use]
pub fn assumptions(algorithm: &str, variant: &str) -> Option<Assumptions> {
    named(algorithm).map(|entry| entry.assumptions(variant))
}

/// Returns the conduct of the algorithm whose name is `algorithm`: the properties that monitors need to judge its
/// runs. If there is no such algorithm, returns [`Conduct::PLAIN`].
#[must_use]
pub fn conduct(algorithm: &str) -> Conduct {
    named(algorithm).map_or(Conduct::PLAIN, |entry| entry.conduct)
}

/// Checks a configuration and discards the setting.
///
/// # Errors
/// Names the invalid part of the configuration and the valid values.
pub fn check(configuration: &Configuration<'_>) -> Result<(), Refusal> {
    struct Nothing;
    impl Visitor for Nothing {
        type Output = ();
        fn visit<A: Algorithm>(self, _: A::Setting) {}
    }
    instantiate_erased(configuration, Nothing)
}

/// Returns all parameters of a configuration with their effective values: the given values, and the defaults of the
/// others. Times are in ms. A configuration with these parameters is equivalent to the original one.
///
/// # Errors
/// Names the invalid part of the configuration and the valid values.
pub fn parameters_in_force(configuration: &Configuration<'_>) -> Result<Parameters, Refusal> {
    struct InForce<'a>(&'a Configuration<'a>);
    impl Visitor for InForce<'_> {
        type Output = Parameters;
        fn visit<A: Algorithm>(self, setting: A::Setting) -> Parameters {
            let given = self.0.parameters;
            let in_force = A::in_force(&setting);
            let value = |parameter: &Parameter| {
                let in_force = in_force.iter().find(|(name, _)| *name == parameter.name).map(|(_, value)| value);
                let given = given.get(parameter.name);
                let found = if parameter.unit.is_some() { in_force.or(given) } else { given.or(in_force) };
                found.cloned().unwrap_or_else(|| ParameterValue::read(parameter.default))
            };
            A::entry(&setting)
                .parameters
                .iter()
                .map(|parameter| (parameter.name.to_string(), value(parameter)))
                .collect()
        }
    }
    instantiate_erased(configuration, InForce(configuration))
}

/// Whether a configuration runs only if messages arrive in the instant in which they are sent: see
/// [`Algorithm::is_instantaneous`].
///
/// # Errors
/// Names the invalid part of the configuration and the valid values.
pub fn is_instantaneous(configuration: &Configuration<'_>) -> Result<bool, Refusal> {
    struct Instantaneous;
    impl Visitor for Instantaneous {
        type Output = bool;
        fn visit<A: Algorithm>(self, setting: A::Setting) -> bool {
            A::is_instantaneous(&setting)
        }
    }
    instantiate_erased(configuration, Instantaneous)
}

/// Whether each request of a configuration has a timestamp: see [`Algorithm::has_timestamps`].
///
/// # Errors
/// Names the invalid part of the configuration and the valid values.
pub fn has_timestamps(configuration: &Configuration<'_>) -> Result<bool, Refusal> {
    struct Timestamps;
    impl Visitor for Timestamps {
        type Output = bool;
        fn visit<A: Algorithm>(self, setting: A::Setting) -> bool {
            A::has_timestamps(&setting)
        }
    }
    instantiate_erased(configuration, Timestamps)
}

fn unknown(name: &str) -> Refusal {
    Refusal::new(
        Subject::Algorithm,
        format_args!("there is no algorithm `{name}`"),
        ENTRIES.iter().map(|entry| entry.name),
    )
}

fn check_counts(entry: &Entry, configuration: &Configuration<'_>) -> Result<(), Refusal> {
    if configuration.nodes == 0 {
        return Err(Refusal::new(Subject::Nodes, "0 nodes are too few; write at least 1", ["1"]));
    }
    let locks = configuration.locks;
    if locks == 0 {
        return Err(Refusal::new(Subject::Locks, "0 locks are too few; write at least 1", ["1"]));
    }
    if locks > 1 && entry.locks == LockUse::None {
        let detail = format_args!("`{}` has no locks, so a run cannot have {locks}; remove `locks`", entry.name);
        return Err(Refusal::new(Subject::Locks, detail, []));
    }
    Ok(())
}

fn check_variant(entry: &Entry, variant: Option<&str>) -> Result<(), Refusal> {
    match variant {
        Some(name) if entry.variants.iter().all(|variant| variant.name != name) => Err(Refusal::new(
            Subject::Variant,
            format_args!("`{}` has no variant `{name}`", entry.name),
            entry.variants.iter().map(|variant| variant.name),
        )),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use alloc::collections::BTreeSet;
    use alloc::string::String;
    use alloc::vec::Vec;

    use super::*;
    use crate::span;

    fn refusal(algorithm: &str, variant: Option<&str>, parameters: &[(&str, &str)]) -> Option<Refusal> {
        let parameters: Parameters = parameters
            .iter()
            .map(|&(name, value)| (name.to_string(), ParameterValue::Text(value.to_string())))
            .collect();
        let one = Configuration { algorithm, variant, parameters: &parameters, nodes: 3, locks: 1 };
        check(&Configuration { locks: default_locks(&one), ..one }).err()
    }

    fn names<'a>(entries: impl IntoIterator<Item = &'a str>) -> (usize, BTreeSet<&'a str>) {
        let all: Vec<_> = entries.into_iter().collect();
        (all.len(), all.into_iter().collect())
    }

    #[test]
    fn names_are_unique() {
        let unique = |(count, names): (usize, BTreeSet<&str>)| count == names.len();
        assert!(unique(names(ENTRIES.iter().map(|entry| entry.name))));
        for entry in ENTRIES {
            assert!(unique(names(entry.variants.iter().map(|variant| variant.name))), "{}", entry.name);
            assert!(unique(names(entry.message_kinds.iter().copied())), "{}", entry.name);
            assert!(unique(names(entry.parameters.iter().map(|parameter| parameter.name))), "{}", entry.name);
        }
    }

    #[test]
    fn the_default_of_everything_is_right_and_can_be_run() {
        for entry in ENTRIES {
            assert!(entry.variants.first().is_some_and(|variant| variant.broken.is_none()), "{}", entry.name);
            assert_eq!(refusal(entry.name, None, &[]), None);
            let defaults: Vec<_> =
                entry.parameters.iter().map(|parameter| (parameter.name, parameter.default)).collect();
            for variant in entry.variants {
                assert_eq!(refusal(entry.name, Some(variant.name), &defaults), None);
            }
        }
    }

    #[test]
    fn what_is_in_force_is_complete_and_means_the_same_when_it_is_given() {
        for entry in ENTRIES {
            for (variant, nodes) in entry.variants.iter().zip((1..=5).cycle()) {
                let none = Parameters::new();
                let variant = Some(variant.name);
                let one = Configuration { algorithm: entry.name, variant, parameters: &none, nodes, locks: 1 };
                let locks = default_locks(&one);
                let Ok(all) = parameters_in_force(&Configuration { locks, ..one }) else { continue };
                let names = |names: &mut dyn Iterator<Item = &str>| names.map(String::from).collect::<BTreeSet<_>>();
                let known = names(&mut entry.parameters.iter().map(|parameter| parameter.name));
                assert_eq!(names(&mut all.keys().map(String::as_str)), known, "{}", entry.name);
                let again = parameters_in_force(&Configuration { parameters: &all, locks, ..one });
                assert_eq!(again, Ok(all), "{} {variant:?} with {nodes} nodes", entry.name);
            }
        }
    }

    #[test]
    fn times_are_told_in_ms_however_they_are_given() {
        let in_force = |algorithm: &str, given: &[(&str, &str)], name: &str| {
            let given: Parameters = given
                .iter()
                .map(|&(name, value)| (name.to_string(), ParameterValue::Text(value.to_string())))
                .collect();
            let configuration = Configuration { algorithm, variant: None, parameters: &given, nodes: 3, locks: 1 };
            parameters_in_force(&configuration).expect("a configuration").get(name).map(ToString::to_string)
        };
        assert_eq!(in_force("bully", &[], "answer").as_deref(), Some("50"));
        assert_eq!(in_force("bully", &[("answer", "2s")], "answer").as_deref(), Some("2000"));
        assert_eq!(in_force("bully", &[("answer", "250us")], "answer").as_deref(), Some("0.25"));
        assert_eq!(in_force("acknowledged-ring", &[("answer", "2s")], "coordinator").as_deref(), Some("18000"));
        assert_eq!(in_force("replicated-lock", &[("lease", "1000")], "retry").as_deref(), Some("250"));
        assert_eq!(in_force("dijkstra-ring", &[], "k").as_deref(), Some("6"));
    }

    #[test]
    fn parameters_that_are_times_say_so() {
        let half = ParameterValue::Text("500us".into());
        for entry in ENTRIES {
            for &Parameter { name, unit, .. } in entry.parameters {
                let given = Parameters::from([(name.to_string(), half.clone())]);
                let one =
                    Configuration { algorithm: entry.name, variant: None, parameters: &given, nodes: 3, locks: 1 };
                let in_force = parameters_in_force(&Configuration { locks: default_locks(&one), ..one });
                let is_time = in_force.is_ok_and(|all| all.get(name) == Some(&ParameterValue::time(500)));
                assert_eq!(is_time, unit == Some(span::UNIT), "{} {name}", entry.name);
            }
        }
    }

    #[test]
    fn time_outs_are_parameters_that_are_times_and_more_than_one_message_long() {
        let mut found = 0;
        for entry in ENTRIES {
            for variant in entry.variants {
                let assumes = assumptions(entry.name, variant.name).expect("an algorithm");
                for time_out in assumes.time_outs {
                    found += 1;
                    let is_time = |name: &str| {
                        let mut named = entry.parameters.iter().filter(|parameter| parameter.name == name);
                        named.next().is_some_and(|parameter| parameter.unit == Some(span::UNIT))
                    };
                    assert!(is_time(time_out.parameter), "{} {}", entry.name, time_out.parameter);
                    assert!(time_out.within.is_none_or(|within| is_time(within.parameter)), "{}", entry.name);
                    assert!(time_out.messages >= 2, "{} {}", entry.name, time_out.parameter);
                }
            }
        }
        assert!(found > 10, "{found}");
        assert!(assumptions("ricart", "original").is_none());
    }

    #[test]
    fn background_and_token_kinds_are_kinds() {
        for entry in ENTRIES {
            let mut kinds = entry.background_kinds.iter().chain(entry.token_kinds);
            assert!(kinds.all(|kind| entry.message_kinds.contains(kind)), "{}", entry.name);
        }
    }

    #[test]
    fn commands_are_commands_and_locks_come_with_them() {
        for entry in ENTRIES {
            let known = |command: &&str| ["acquire", "release", "elect", "propose", "corrupt"].contains(command);
            assert!(entry.commands.iter().all(known), "{}", entry.name);
            let has_locks = entry.locks != LockUse::None;
            assert!(
                ["acquire", "release"].iter().all(|name| entry.commands.contains(name) == has_locks),
                "{}",
                entry.name
            );
        }
    }

    #[test]
    fn variants_that_keep_the_order_or_assume_something_else_are_variants() {
        for entry in ENTRIES {
            let is_one = |name: &&str| entry.variants.iter().any(|variant| variant.name == *name);
            let assuming = entry.variants_assume.iter().flat_map(|(variants, _)| *variants);
            assert!(entry.keeps_order.iter().chain(assuming).all(is_one), "{}", entry.name);
        }
    }

    #[test]
    fn what_is_unknown_is_refused_with_what_is_known() {
        let refused = |subject: Subject, allowed: &[&str]| {
            Some((subject, allowed.iter().map(ToString::to_string).collect::<Vec<String>>()))
        };
        let found = |refusal: Option<Refusal>| refusal.map(|refusal| (refusal.subject, refusal.allowed));
        let all: Vec<_> = ENTRIES.iter().map(|entry| entry.name).collect();
        let variants = ["original", "no-second-request", "both-hold", "remove-dead", "back-as-at-start"];
        assert_eq!(found(refusal("ricart", None, &[])), refused(Subject::Algorithm, &all));
        assert_eq!(found(refusal("carvalho-roucairol", Some("fast"), &[])), refused(Subject::Variant, &variants));
        assert_eq!(
            found(refusal("lamport", None, &[("tree", "star")])),
            refused(Subject::Parameter("tree".into()), &["release"])
        );
        assert_eq!(
            found(refusal("lamport", None, &[("release", "all")])),
            refused(Subject::Parameter("release".into()), &["sender", "request"])
        );
    }
}
