//! The store: named objects that are written once.

use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

use bytes::Bytes;
use futures_util::TryStreamExt as _;
use object_store::aws::AmazonS3Builder;
use object_store::local::LocalFileSystem;
use object_store::{ObjectStoreExt as _, RetryConfig, WriteMultipart};
use sha2::{Digest as _, Sha256};

use crate::ObjectError;
use crate::archive::Packed;
use crate::connector::GuardedConnector;
use crate::location::{ObjectLocation, ParseLocationError};

/// Size of the parts in which objects are written and read, in bytes.
pub(crate) const PART_BYTES: usize = 8 << 20;
/// Maximum number of objects that are listed.
const MAX_LISTED: usize = 1_000_000;
/// How long requests are retried. Longer outages are the business of the caller.
const RETRY_TIMEOUT: Duration = Duration::from_secs(3);

/// An object store. A handle; clones share the connection and the counters.
#[derive(Debug, Clone)]
pub struct ObjectStore(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    backend: Backend,
    prefix: String,
    is_unreachable: AtomicBool,
    operations: AtomicU64,
    errors: AtomicU64,
}

#[derive(Debug)]
enum Backend {
    Remote(Arc<dyn object_store::ObjectStore>),
    /// Opened for each operation, as a shared folder may not be mounted yet.
    Folder(PathBuf),
}

/// An object of the store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ObjectEntry {
    /// Name, without the prefix of the location.
    pub name: String,
    /// When it was written.
    pub modified: SystemTime,
}

/// Availability of a store, and numbers of its operations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StoreStatus {
    /// Whether the last operation reached the store.
    pub is_reachable: bool,
    /// Operations since the start.
    pub operations: u64,
    /// Operations that did not reach the store.
    pub errors: u64,
}

impl ObjectStore {
    /// A store at a location. Nothing is connected yet.
    ///
    /// # Errors
    /// If the endpoint is not a URL.
    pub fn new(location: ObjectLocation) -> Result<Self, ParseLocationError> {
        let (backend, prefix) = match location {
            ObjectLocation::Folder(path) => (Backend::Folder(path), String::new()),
            ObjectLocation::S3(place) => {
                let retry = RetryConfig {
                    max_retries: 2,
                    retry_timeout: RETRY_TIMEOUT,
                    ..RetryConfig::default()
                };
                let endpoint = place.endpoint();
                let store = AmazonS3Builder::new()
                    .with_http_connector(GuardedConnector::new(&place)?)
                    .with_allow_http(endpoint.starts_with("http://"))
                    .with_endpoint(endpoint)
                    .with_region(&place.region)
                    .with_bucket_name(&place.bucket)
                    .with_access_key_id(&place.access_key)
                    .with_secret_access_key(&place.secret_key)
                    .with_retry(retry)
                    .build();
                let store = store.map_err(|_| {
                    ParseLocationError("check the bucket, the endpoint, the region and the key")
                })?;
                (Backend::Remote(Arc::new(store)), place.prefix)
            }
        };
        Ok(Self(Arc::new(Inner {
            backend,
            prefix,
            is_unreachable: AtomicBool::new(false),
            operations: AtomicU64::new(0),
            errors: AtomicU64::new(0),
        })))
    }

    /// Availability and numbers of operations.
    pub fn status(&self) -> StoreStatus {
        StoreStatus {
            is_reachable: !self.0.is_unreachable.load(Ordering::Relaxed),
            operations: self.0.operations.load(Ordering::Relaxed),
            errors: self.0.errors.load(Ordering::Relaxed),
        }
    }

    /// Checks that the store can be reached.
    ///
    /// # Errors
    /// If it cannot.
    pub async fn probe(&self) -> Result<(), ObjectError> {
        self.has("probe").await.map(drop)
    }

    /// Writes the content of a file as an object, as a whole or not at all. An existing object of
    /// the name is replaced.
    ///
    /// # Errors
    /// If the file cannot be read, or the store is not available.
    pub async fn put(&self, name: &str, file: &Path) -> Result<(), ObjectError> {
        self.count(self.try_put(name, file).await)
    }

    async fn try_put(&self, name: &str, file: &Path) -> Result<(), ObjectError> {
        let failed = |error: object_store::Error| ObjectError::of(name, &error);
        let (store, path) = (self.backend()?, self.path(name));
        let mut file = File::open(file)?;
        let first = read_part(&mut file)?;
        if first.len() < PART_BYTES {
            store.put(&path, first.into()).await.map_err(failed)?;
            return Ok(());
        }
        let upload = store.put_multipart(&path).await.map_err(failed)?;
        let mut upload = WriteMultipart::new_with_chunk_size(upload, PART_BYTES);
        let mut part = first;
        while !part.is_empty() {
            upload.wait_for_capacity(2).await.map_err(failed)?;
            upload.put(part);
            part = read_part(&mut file)?;
        }
        upload.finish().await.map_err(failed)?;
        Ok(())
    }

    /// Reads an object into a file, and checks its size and its checksum.
    ///
    /// # Errors
    /// If the object does not exist or is another one than `expected`, the store is not available,
    /// or the file cannot be written.
    pub async fn get(&self, name: &str, file: &Path, expected: &Packed) -> Result<(), ObjectError> {
        self.count(self.try_get(name, file, expected).await)
    }

    async fn try_get(&self, name: &str, file: &Path, expected: &Packed) -> Result<(), ObjectError> {
        let failed = |error: object_store::Error| ObjectError::of(name, &error);
        let (store, path) = (self.backend()?, self.path(name));
        let head = store.head(&path).await.map_err(failed)?;
        if head.size != expected.size {
            let reason = format!("it has {} bytes instead of {}", head.size, expected.size);
            return Err(ObjectError::invalid(name, reason));
        }
        let (mut file, mut digest) = (File::create(file)?, Sha256::new());
        let mut start = 0;
        while start < expected.size {
            let end = expected.size.min(start + PART_BYTES as u64);
            let part = store.get_range(&path, start..end).await.map_err(failed)?;
            if part.len() as u64 != end - start {
                return Err(ObjectError::invalid(name, "it is incomplete"));
            }
            digest.update(&part);
            file.write_all(&part)?;
            start = end;
        }
        if <[u8; 32]>::from(digest.finalize()) != expected.sum {
            return Err(ObjectError::invalid(name, "its checksum is another one"));
        }
        Ok(())
    }

    /// Whether an object exists.
    ///
    /// # Errors
    /// If the store is not available.
    pub async fn has(&self, name: &str) -> Result<bool, ObjectError> {
        let result = async {
            match self.backend()?.head(&self.path(name)).await {
                Ok(_) => Ok(true),
                Err(object_store::Error::NotFound { .. }) => Ok(false),
                Err(error) => Err(ObjectError::of(name, &error)),
            }
        };
        self.count(result.await)
    }

    /// Objects whose names begin with a directory.
    ///
    /// # Errors
    /// If the store is not available.
    pub async fn list(&self, dir: &str) -> Result<Vec<ObjectEntry>, ObjectError> {
        self.count(self.try_list(dir).await)
    }

    async fn try_list(&self, dir: &str) -> Result<Vec<ObjectEntry>, ObjectError> {
        let store = self.backend()?;
        let mut listed = store.list(Some(&self.path(dir)));
        let mut entries = Vec::new();
        let failed = |error: object_store::Error| ObjectError::of(dir, &error);
        while let Some(meta) = listed.try_next().await.map_err(failed)? {
            if entries.len() == MAX_LISTED {
                break;
            }
            let name = meta.location.as_ref();
            let name = name.strip_prefix(&self.0.prefix).unwrap_or(name);
            entries.push(ObjectEntry {
                name: name.trim_start_matches('/').to_owned(),
                modified: meta.last_modified.into(),
            });
        }
        Ok(entries)
    }

    /// Deletes an object; one that does not exist is no error.
    ///
    /// # Errors
    /// If the store is not available.
    pub async fn delete(&self, name: &str) -> Result<(), ObjectError> {
        let result = async {
            match self.backend()?.delete(&self.path(name)).await {
                Ok(()) | Err(object_store::Error::NotFound { .. }) => Ok(()),
                Err(error) => Err(ObjectError::of(name, &error)),
            }
        };
        self.count(result.await)
    }

    fn backend(&self) -> Result<Arc<dyn object_store::ObjectStore>, ObjectError> {
        match &self.0.backend {
            Backend::Remote(store) => Ok(Arc::clone(store)),
            Backend::Folder(path) => {
                let opened = LocalFileSystem::new_with_prefix(path);
                let opened = opened.map_err(|_| {
                    let path = path.display();
                    ObjectError::Unavailable(format!("the folder `{path}` cannot be opened"))
                })?;
                Ok(Arc::new(opened.with_fsync(true)))
            }
        }
    }

    fn path(&self, name: &str) -> object_store::path::Path {
        object_store::path::Path::from_iter(self.0.prefix.split('/').chain(name.split('/')))
    }

    fn count<T>(&self, result: Result<T, ObjectError>) -> Result<T, ObjectError> {
        let is_error = matches!(result, Err(ObjectError::Unavailable(_)));
        self.0.operations.fetch_add(1, Ordering::Relaxed);
        self.0
            .errors
            .fetch_add(u64::from(is_error), Ordering::Relaxed);
        self.0.is_unreachable.store(is_error, Ordering::Relaxed);
        result
    }
}

/// The next part of a file; a shorter one at its end.
fn read_part(file: &mut File) -> Result<Bytes, ObjectError> {
    let left = file
        .metadata()?
        .len()
        .saturating_sub(file.stream_position()?);
    let length = left.min(PART_BYTES as u64);
    let mut part = Vec::with_capacity(usize::try_from(length).unwrap_or(PART_BYTES));
    (&*file).take(length).read_to_end(&mut part)?;
    // A file that has become shorter ends here.
    if (part.len() as u64) < length {
        file.seek(SeekFrom::End(0))?;
    }
    Ok(part.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sum_of(bytes: &[u8]) -> Packed {
        Packed {
            sum: Sha256::digest(bytes).into(),
            size: bytes.len() as u64,
        }
    }

    #[tokio::test]
    async fn objects_of_a_folder_are_written_read_checked_listed_and_deleted() {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().join("objects");
        let store = ObjectStore::new(ObjectLocation::Folder(folder.clone())).unwrap();
        // A folder that is not mounted is an outage.
        assert!(store.probe().await.is_err_and(|error| error.is_transient()));
        assert!(!store.status().is_reachable);
        std::fs::create_dir(&folder).unwrap();
        store.probe().await.unwrap();
        assert!(store.status().is_reachable);
        let (file, copy) = (dir.path().join("file"), dir.path().join("copy"));
        for length in [0, 1, PART_BYTES - 1, PART_BYTES, 2 * PART_BYTES + 7] {
            let bytes: Vec<u8> = (0..length).map(|at| (at % 251) as u8).collect();
            std::fs::write(&file, &bytes).unwrap();
            store.put("snapshots/docs/a", &file).await.unwrap();
            let expected = sum_of(&bytes);
            store
                .get("snapshots/docs/a", &copy, &expected)
                .await
                .unwrap();
            assert!(std::fs::read(&copy).unwrap() == bytes, "{length}");
            let other = Packed {
                sum: [7; 32],
                ..expected
            };
            let wrong = store.get("snapshots/docs/a", &copy, &other).await;
            assert!(
                matches!(wrong, Err(ObjectError::Invalid { .. })),
                "{length}"
            );
            let longer = Packed {
                size: expected.size + 1,
                ..expected
            };
            let wrong = store.get("snapshots/docs/a", &copy, &longer).await;
            assert!(
                matches!(wrong, Err(ObjectError::Invalid { .. })),
                "{length}"
            );
        }
        let listed = store.list("snapshots").await.unwrap();
        assert_eq!(listed.len(), 1);
        assert_eq!(listed[0].name, "snapshots/docs/a");
        for _ in 0..2 {
            store.delete("snapshots/docs/a").await.unwrap();
        }
        let missing = store.get("snapshots/docs/a", &copy, &sum_of(b"")).await;
        assert!(matches!(missing, Err(ObjectError::NotFound(_))));
        assert_eq!(store.status().errors, 1);
    }
}
