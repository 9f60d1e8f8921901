//! The dashboard: authentication, its pages, and its use in a browser.

mod access;
mod browser;
mod deployments;
mod jobs;
mod keys;
mod oidc;
mod passwords;
mod readers;
mod sessions;

type TestResult = Result<(), Box<dyn std::error::Error>>;

/// Origin of the dashboard in these tests.
const ORIGIN: &str = "https://admin.example";
