//! The store on SQLite and on PostgreSQL, held against the store in memory.

mod clients;
mod deeds;
mod kept;
mod kill;
mod model;
mod servers;
mod world;
