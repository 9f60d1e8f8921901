//! Rules of the specification for the site map: what each one accepts and rejects.

mod documents;
mod menus;
mod protection;
mod routes;
mod switching;
mod test_site;
