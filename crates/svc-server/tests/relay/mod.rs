//! The relay of the API playground, used like a browser does, with an API on this machine.

mod calls;
mod limits;
mod refusals;
pub(crate) mod rig;
mod secrets;
