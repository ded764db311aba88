//! Mutual exclusion: at most one process in the critical section, and everybody who wants gets there.

mod phase;
mod votes;

pub mod bakery;
pub mod carvalho_roucairol;
pub mod centralised;
pub mod centralised_failover;
pub mod dijkstra_ring;
pub mod lamport;
pub mod le_lann;
pub mod maekawa;
pub mod naimi_trehel;
pub mod raymond;
pub mod ricart_agrawala;
pub mod ricart_agrawala_token;
pub mod sanders;
pub mod suzuki_kasami;
