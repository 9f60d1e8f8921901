//! docs.json to a checked site configuration.
