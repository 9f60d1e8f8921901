//! A server on a free port, tested byte by byte.

mod connections;
mod files;
mod floods;
mod frames;
mod hostile;
mod pages;
mod policies;
mod protection;
mod refusals;
mod rig;
mod tls;
