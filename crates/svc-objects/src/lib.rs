//! Snapshots of sites in an object store that several servers share.
//!
//! [`ObjectStore`] is an S3-compatible store or a shared folder. Its requests go through `svc-fetch`,
//! which connects only to the endpoint of the settings. [`archive`] packs a directory into one file
//! and unpacks it: files of a store are not trusted, so that an archive cannot write outside of its
//! directory, and is checked against the checksum and size that the database names.
//!
//! ```
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let dir = tempfile::tempdir()?;
//! # std::fs::create_dir(dir.path().join("objects"))?;
//! # std::fs::create_dir(dir.path().join("site"))?;
//! # std::fs::write(dir.path().join("site/docs.json"), "{}")?;
//! use svc_objects::{ObjectLocation, ObjectStore, archive};
//!
//! let file = dir.path().join("archive");
//! let packed = archive::pack(&dir.path().join("site"), "{}", &file)?;
//! let store = ObjectStore::new(ObjectLocation::Folder(dir.path().join("objects")))?;
//! # tokio::runtime::Runtime::new()?.block_on(async {
//! store.put("snapshots/one", &file).await?;
//! store.get("snapshots/one", &dir.path().join("copy"), &packed).await
//! # })?;
//! let unpacked = dir.path().join("unpacked");
//! std::fs::create_dir(&unpacked)?;
//! archive::unpack(&dir.path().join("copy"), &unpacked, archive::MAX_TOTAL_BYTES)?;
//! assert_eq!(std::fs::read(unpacked.join("docs.json"))?, b"{}");
//! # Ok(())
//! # }
//! ```

pub mod archive;
mod connector;
mod error;
mod location;
mod store;

pub use error::ObjectError;
pub use location::{ObjectLocation, ParseLocationError, S3Location};
pub use store::{ObjectEntry, ObjectStore, StoreStatus};
