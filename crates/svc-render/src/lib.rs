//! One page of the site map to HTML.
