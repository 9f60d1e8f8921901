//! Response bodies in the content coding that the client prefers.

use std::sync::Arc;

use http::Version;
use http::header::{self, HeaderMap, HeaderValue};
use http::request::Parts;
use hyper::body::Bytes;
use svc_site::CompressedBytes;

use crate::negotiate::{self, ContentEncoding};
use crate::reply::{Content, Entity};

/// Bytes in a content coding.
pub(crate) struct EncodedBytes {
    bytes: Bytes,
    etag: String,
    encoding: ContentEncoding,
}

impl EncodedBytes {
    pub(crate) fn entity(self, content_type: &str, vary: &str) -> Entity {
        let entity = Entity::new(Content::Bytes(self.bytes), content_type).with(header::VARY, vary);
        with_coding(entity, self.etag, self.encoding)
    }

    /// A representation with these headers.
    pub(crate) fn entity_with(self, headers: HeaderMap) -> Entity {
        let entity = Entity::with_headers(Content::Bytes(self.bytes), headers);
        with_coding(entity, self.etag, self.encoding)
    }
}

fn with_coding(mut entity: Entity, etag: String, coding: ContentEncoding) -> Entity {
    entity.validators.etag = Some(etag);
    if let Some(name) = coding.name() {
        let name = HeaderValue::from_static(name);
        entity.headers.insert(header::CONTENT_ENCODING, name);
    }
    entity
}

/// The preferred coding of the client, if it is cached.
pub(crate) fn cached_encoding(
    packed: &CompressedBytes,
    headers: &HeaderMap,
) -> Option<EncodedBytes> {
    let coding = coding_for(packed, headers);
    let bytes = match coding {
        ContentEncoding::Identity => plain_bytes(packed),
        ContentEncoding::Gzip => Bytes::from_owner(Arc::clone(packed.cached_gzip()?)),
        ContentEncoding::Brotli => Bytes::from_owner(Arc::clone(packed.cached_brotli()?)),
    };
    Some(EncodedBytes {
        bytes,
        etag: etag(packed, coding),
        encoding: coding,
    })
}

/// The preferred coding of the client.
pub(crate) fn encode(packed: &CompressedBytes, headers: &HeaderMap) -> EncodedBytes {
    let coding = coding_for(packed, headers);
    let bytes = match coding {
        ContentEncoding::Identity => plain_bytes(packed),
        ContentEncoding::Gzip => Bytes::from_owner(Arc::clone(packed.gzip())),
        ContentEncoding::Brotli => Bytes::from_owner(Arc::clone(packed.brotli())),
    };
    EncodedBytes {
        bytes,
        etag: etag(packed, coding),
        encoding: coding,
    }
}

pub(crate) fn plain_bytes(packed: &CompressedBytes) -> Bytes {
    Bytes::from_owner(Arc::clone(&packed.bytes))
}

fn coding_for(packed: &CompressedBytes, headers: &HeaderMap) -> ContentEncoding {
    if packed.is_compressible() {
        negotiate::content_encoding(headers)
    } else {
        ContentEncoding::Identity
    }
}

/// Each coding has its own strong entity tag.
pub(crate) fn etag(packed: &CompressedBytes, coding: ContentEncoding) -> String {
    match coding {
        ContentEncoding::Identity => format!("\"{}\"", packed.etag),
        ContentEncoding::Gzip => format!("\"{}-gz\"", packed.etag),
        ContentEncoding::Brotli => format!("\"{}-br\"", packed.etag),
    }
}

/// The content without a content coding.
pub(crate) fn plain(packed: &CompressedBytes) -> EncodedBytes {
    EncodedBytes {
        bytes: plain_bytes(packed),
        etag: etag(packed, ContentEncoding::Identity),
        encoding: ContentEncoding::Identity,
    }
}

/// Clones the head of a request.
pub(crate) fn copy(parts: &Parts) -> Parts {
    let mut request = http::Request::new(());
    *request.method_mut() = parts.method.clone();
    *request.uri_mut() = parts.uri.clone();
    *request.version_mut() = Version::HTTP_11;
    *request.headers_mut() = parts.headers.clone();
    request.into_parts().0
}
