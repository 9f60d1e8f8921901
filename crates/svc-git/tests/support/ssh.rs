//! An SSH server of our own.
