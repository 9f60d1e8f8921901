//! The front door: runs the stages and holds an immutable site.
