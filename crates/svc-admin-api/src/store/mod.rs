//! Persistence of the Admin API: a trait that combines those of all resources, and their common
//! types.
//!
//! Methods that change data take a [`Change`]. A store must commit the change, its audit entry and
//! the response for its `Idempotency-Key` in one transaction. Every transition of a job is one
//! conditional write (`UPDATE … WHERE … RETURNING`), never a read followed by a write that relies
//! on it.

mod change;
mod error;
mod resources;

pub use change::{Change, ChangeResult};
pub use error::StoreError;
pub use resources::Store;
