//! Tests of the API, from request to response.

mod audit;
mod bodies;
mod clients;
mod credentials;
mod deployments;
mod documents;
mod failures;
mod jobs;
mod records;
mod keys;
mod machine;
mod idempotency;
mod paging;
mod projects;
mod rates;
pub(crate) mod world;
