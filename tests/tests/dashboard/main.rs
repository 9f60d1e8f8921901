//! The dashboard: who gets in, what each page does, and how it works in a browser.

mod access;
mod browser;
mod deployments;
mod jobs;
mod keys;
mod oidc;
mod passwords;
mod sessions;

type TestResult = Result<(), Box<dyn std::error::Error>>;

/// Where the pages of these tests are.
const ORIGIN: &str = "https://admin.example";
