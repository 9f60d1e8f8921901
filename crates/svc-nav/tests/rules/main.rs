//! Rules of the specification for the site map: what each one accepts and rejects.

mod routes;
mod documents;
mod test_site;
mod menus;
mod protection;
mod switching;
