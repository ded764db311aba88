//! Every algorithm under schedules of every kind: all of them, those drawn at random, and some written down; over links
//! that lose, double and reorder, among nodes that crash and come back, with timers that run out at any moment.

mod agreement;
mod all_schedules;
mod bakery;
mod careless;
mod carvalho_roucairol;
mod centralised;
mod deadlock;
mod dijkstra_ring;
mod dijkstra_stabilises;
mod driver;
mod election;
mod failover;
mod growing;
mod hostile_input;
mod itself;
mod le_lann;
mod lost_token;
mod maekawa;
mod naimi_trehel;
mod poison;
mod random_schedules;
mod raymond;
mod raymond_bridging;
mod raymond_recovery;
mod regeneration;
mod removal;
mod replicated_lock;
mod request_numbers;
mod restart;
mod ricart_agrawala;
mod ricart_agrawala_token;
mod sanders;
mod suzuki_kasami;
mod told;
mod views;
