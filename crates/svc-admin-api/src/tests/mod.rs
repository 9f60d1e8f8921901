//! Tests of the API, from request to response.

mod audit;
mod bodies;
mod clients;
mod credentials;
mod deployments;
mod documents;
mod failures;
mod idempotency;
mod jobs;
mod keys;
mod machine;
mod paging;
mod projects;
mod rates;
mod records;
pub(crate) mod world;
