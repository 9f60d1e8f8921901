//! The rows of the specification that the map keeps: each with what it takes and what it refuses.

mod routes;
mod documents;
mod test_site;
mod menus;
mod protection;
mod switching;
