//! The rows of the specification that the map keeps: each with what it takes and what it refuses.

mod addresses;
mod documents;
mod made;
mod menus;
mod protection;
mod switching;
