//! The store on SQLite and on PostgreSQL, held against the store in memory.

mod deeds;
mod model;
mod world;
