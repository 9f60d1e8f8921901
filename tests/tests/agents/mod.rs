//! Agents read the sites: other people's checkers and clients.

mod afdocs;
mod clients;
mod conformance;
mod node;
mod rmcp;
