//! Keeps what the Admin API has to remember, in SQLite or in PostgreSQL.

mod notice;

pub use notice::Notice;
