//! The HTTP server: sites, assets, health; library and binary svc-server.
