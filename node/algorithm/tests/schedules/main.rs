//! Every algorithm of mutual exclusion under schedules of every kind: drawn at random, and all of them.

mod all_schedules;
mod bakery;
mod careless;
mod carvalho_roucairol;
mod centralised;
mod dijkstra_ring;
mod dijkstra_stabilises;
mod driver;
mod hostile_input;
mod le_lann;
mod maekawa;
mod naimi_trehel;
mod random_schedules;
mod raymond;
mod ricart_agrawala;
mod ricart_agrawala_token;
mod sanders;
mod suzuki_kasami;
mod told;
mod views;
