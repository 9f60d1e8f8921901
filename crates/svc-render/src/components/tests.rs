//! Components in pages.
