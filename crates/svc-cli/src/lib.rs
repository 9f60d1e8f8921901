//! The command line program svc.
