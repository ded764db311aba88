//! Mutual exclusion. Most files contain the claims about one system, in the order of the source.

mod bakery;
mod bakery_crash;
mod carvalho_roucairol;
mod centralised;
mod centralised_lease;
mod comparison;
mod deaths;
mod dijkstra;
mod dijkstra_recovers;
mod dijkstra_relinked;
mod dijkstra_stabilises;
mod failover;
mod failures;
mod handed_over;
mod lamport;
mod le_lann;
mod le_lann_fenced;
mod le_lann_lost;
mod maekawa;
mod maekawa_cost;
mod maekawa_delay;
mod maekawa_figure;
mod maekawa_figures;
mod maekawa_sets;
mod maekawa_succession;
mod naimi_trehel;
mod order;
mod order_measured;
mod raymond;
mod raymond_figures;
mod raymond_improved;
mod raymond_recovery;
mod raymond_schedule;
mod raymond_trees;
mod ricart_agrawala;
mod ricart_agrawala_removal;
mod ricart_agrawala_token;
mod sanders;
mod suzuki_kasami;

use super::claim::{Claim, Experiment, How, Showing};
use super::finding::{CouldNotRun, Finding, Measurement};

/// Claims of each system.
pub(super) const SYSTEMS: &[&[Claim]] = &[
    centralised::CLAIMS,
    bakery::CLAIMS,
    dijkstra::CLAIMS,
    le_lann::CLAIMS,
    lamport::CLAIMS,
    ricart_agrawala::CLAIMS,
    carvalho_roucairol::CLAIMS,
    suzuki_kasami::CLAIMS,
    ricart_agrawala_token::CLAIMS,
    maekawa::CLAIMS,
    raymond::CLAIMS,
    sanders::CLAIMS,
    naimi_trehel::CLAIMS,
    order::CLAIMS,
    comparison::CLAIMS,
];
