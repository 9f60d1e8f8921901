//! Tests of the public interface.
#![expect(clippy::unwrap_used, reason = "tests")]

mod mutations;
mod protocol;
mod rig;
