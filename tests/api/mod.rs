//! Tests of the API in the way that scripts use it: shapes, problems, rejected requests, events in every format,
//! and the command line.

mod assets;
mod claims;
mod command_line;
mod doors;
mod ending;
mod events;
mod examples;
mod explorations;
mod families;
mod folder;
mod history;
mod journal;
mod load;
mod matrix;
mod paths;
mod pretty;
mod problems;
mod readers;
mod reference;
mod resources;
mod roles;
mod scenarios;
mod shapes;
mod share;
mod simulations;
mod sk_exercise;
mod stream;
mod token;
