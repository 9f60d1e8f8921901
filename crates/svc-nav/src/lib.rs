//! Navigation, page index and API catalogue to the site map.
