//! The rows of the specification that the map keeps: each with what it takes and what it refuses.

mod documents;
mod menus;
mod protection;
mod routes;
mod switching;
mod test_site;
