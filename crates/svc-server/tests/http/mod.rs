//! A server on a free port, tested byte by byte.

mod cached;
mod connections;
mod files;
mod floods;
mod frames;
mod grammar;
mod hostile;
mod languages;
mod pages;
mod policies;
mod protection;
mod protocol;
mod proxy;
mod python;
mod refusals;
mod rig;
mod slots;
mod tls;
mod validators;
