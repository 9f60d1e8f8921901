//! A documentation repository on disk becomes an immutable source tree with a page index.
