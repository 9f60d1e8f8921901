//! Where the objects are.

use std::path::PathBuf;

use url::Url;

/// Where the objects are.
#[derive(Clone, PartialEq, Eq)]
pub enum ObjectLocation {
    /// A folder that all servers share.
    Folder(PathBuf),
    /// A bucket of an S3-compatible store.
    S3(S3Location),
}

/// A bucket of an S3-compatible store.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct S3Location {
    /// Name of the bucket.
    pub bucket: String,
    /// Prefix of all objects, without slashes at its ends; empty for none.
    pub prefix: String,
    /// Origin of the store, such as `https://s3.example.com:9000`; `None` for Amazon S3.
    pub endpoint: Option<String>,
    /// Region of the bucket.
    pub region: String,
    /// ID of the access key.
    pub access_key: String,
    /// The secret access key.
    pub secret_key: String,
}

/// The text is not the URL of a location.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ParseLocationError(pub &'static str);

impl std::fmt::Debug for ObjectLocation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.to_string())
    }
}

impl std::fmt::Debug for S3Location {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "s3://{}/{}", self.bucket, self.prefix)
    }
}

/// The URL, without secrets.
impl std::fmt::Display for ObjectLocation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Folder(path) => write!(f, "file://{}", path.display()),
            Self::S3(place) => write!(f, "{place:?}"),
        }
    }
}

impl ObjectLocation {
    /// Parses `s3://BUCKET/PREFIX` or `file:///PATH`. The other fields of a bucket are empty.
    ///
    /// # Errors
    /// If the URL has another scheme, or its parts are missing or not allowed. The error says what
    /// to write.
    pub fn parse(text: &str) -> Result<Self, ParseLocationError> {
        if let Some(path) = text.strip_prefix("file://") {
            let path = PathBuf::from(path);
            let is_plain = path
                .components()
                .all(|part| !matches!(part, std::path::Component::ParentDir));
            return match path.is_absolute() && is_plain {
                true => Ok(Self::Folder(path)),
                false => Err(ParseLocationError(
                    "write three slashes and an absolute path: `file:///srv/svc-objects`",
                )),
            };
        }
        let Some(rest) = text.strip_prefix("s3://") else {
            return Err(ParseLocationError(
                "write `s3://BUCKET/PREFIX` for an S3-compatible store, or `file:///PATH` for a folder that all servers share",
            ));
        };
        let (bucket, prefix) = rest.split_once('/').unwrap_or((rest, ""));
        let prefix = prefix.trim_end_matches('/');
        let letter = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-' | b'_');
        let is_segment = |text: &str| {
            !text.is_empty() && !matches!(text, "." | "..") && text.bytes().all(letter)
        };
        if !(3..=63).contains(&bucket.len()) || !is_segment(bucket) {
            return Err(ParseLocationError(
                "write the name of a bucket with 3 to 63 letters, digits, hyphens and dots: `s3://svc-docs`",
            ));
        }
        if !prefix.is_empty() && !prefix.split('/').all(is_segment) {
            return Err(ParseLocationError(
                "write a prefix of letters, digits, hyphens, dots and slashes: `s3://svc-docs/production`",
            ));
        }
        Ok(Self::S3(S3Location {
            bucket: bucket.to_owned(),
            prefix: prefix.to_owned(),
            ..S3Location::default()
        }))
    }
}

impl S3Location {
    /// The endpoint: that of the settings, or that of Amazon S3 in the region.
    pub(crate) fn endpoint(&self) -> String {
        let default = || format!("https://s3.{}.amazonaws.com", self.region);
        self.endpoint.clone().unwrap_or_else(default)
    }

    /// Rule of the endpoint for the policy of outgoing requests.
    pub(crate) fn host_rule(&self) -> Option<String> {
        let url = Url::parse(&self.endpoint()).ok()?;
        let port = url.port_or_known_default()?;
        Some(format!("{}:{port}", url.host_str()?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locations_are_parsed_and_others_are_refused() {
        for (text, bucket, prefix) in [
            ("s3://svc-docs", "svc-docs", ""),
            ("s3://svc-docs/", "svc-docs", ""),
            ("s3://svc.docs/a/b-1/", "svc.docs", "a/b-1"),
        ] {
            let Ok(ObjectLocation::S3(place)) = ObjectLocation::parse(text) else {
                panic!("{text}");
            };
            assert_eq!((&*place.bucket, &*place.prefix), (bucket, prefix), "{text}");
        }
        assert_eq!(
            ObjectLocation::parse("file:///srv/objects"),
            Ok(ObjectLocation::Folder("/srv/objects".into()))
        );
        for text in [
            "",
            "s3://",
            "s3://ab",
            "s3:///prefix",
            "s3://bucket/../x",
            "s3://bucket/a//b",
            "s3://user:word@bucket",
            "gs://bucket",
            "https://bucket.s3.amazonaws.com",
            "file://objects",
            "file:///a/../b",
            "/srv/objects",
        ] {
            assert!(ObjectLocation::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_location_is_shown_without_its_secret() {
        let place = S3Location {
            bucket: "docs".into(),
            secret_key: "hunter2".into(),
            access_key: "key".into(),
            ..S3Location::default()
        };
        let shown = format!("{place:?} {}", ObjectLocation::S3(place.clone()));
        assert!(!shown.contains("hunter2"), "{shown}");
    }
}
