//! The relay of the API playground, used like a browser does, with an API on this machine.
#![expect(clippy::unwrap_used, reason = "helpers of tests stop the test")]

#[path = "../serving/mod.rs"]
mod serving;

mod calls;
mod limits;
mod refusals;
mod rig;
mod secrets;
