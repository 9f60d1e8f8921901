//! Two and three programs on one PostgreSQL database and one object store: one builds, all serve.
#![expect(clippy::print_stdout, reason = "long runs quote their numbers")]

mod kills;
mod outages;
mod releases;
mod rig;
mod storage;
