//! `[objects]`: the object store that servers share.

use svc_objects::{ObjectLocation, ObjectStore};

use super::codes::{CONFLICT, MISSING};
use super::decode::{Cx, Fields};
use super::table::{DefaultValue, ExclusiveKeys, TableSchema, ValueType, key};
use super::{AdminSettings, secret};

const DEFAULT_REGION: &str = "us-east-1";

pub(super) static TABLE: TableSchema = TableSchema {
    name: "objects",
    about: "Object store for the files of deployments. With this table, servers that share a PostgreSQL database also share what they build: one server builds a deployment of a Git repository, and all serve it. Changes require a restart.",
    keys: &[
        key(
            "url",
            ValueType::Text("^(s3://|file:///)"),
            "A bucket of an S3-compatible store, with an optional prefix, or a folder that all servers share, for example on NFS.",
        )
        .required()
        .example("\"s3://svc-docs/production\""),
        key(
            "endpoint",
            ValueType::Text("^https?://"),
            "Origin of an S3-compatible store. The host may have a private IP address.",
        )
        .default(DefaultValue::Described("Amazon S3 in the region"))
        .example("\"https://minio.internal:9000\""),
        key("region", ValueType::Text(""), "Region of the bucket.")
            .default(DefaultValue::Text(DEFAULT_REGION)),
        key(
            "access_key",
            ValueType::Text(""),
            "ID of the access key. Required for a bucket.",
        )
        .example("\"AKIAIOSFODNN7EXAMPLE\""),
        key(
            "secret_key_file",
            ValueType::Path,
            "File that contains the secret access key.",
        )
        .example("\"/etc/svc/objects.secret\""),
        key(
            "secret_key_env",
            ValueType::Text(secret::VARIABLE),
            "Environment variable that contains the secret access key.",
        )
        .example("\"AWS_SECRET_ACCESS_KEY\""),
        key("secret_key", ValueType::Forbidden, ""),
    ],
    choices: &[ExclusiveKeys {
        keys: &["secret_key_file", "secret_key_env"],
        required: false,
    }],
};

pub(super) fn decode(
    cx: &mut Cx<'_>,
    server: Fields<'_>,
    admin: Option<&AdminSettings>,
) -> Option<ObjectLocation> {
    let fields = cx.open(server.get("objects")?, &TABLE)?;
    let is_shared = admin.is_some_and(|admin| !admin.store.reveal().starts_with("sqlite:"));
    if !is_shared {
        let message = "`[objects]` requires a PostgreSQL database in `[admin]`";
        let hint = "set `store`, `store_file` or `store_env` in `[admin]` to `postgres://USER@HOST/DATABASE`";
        cx.report(&CONFLICT, server.key_span("objects"), message, hint);
    }
    let url = cx.text(fields, "url")?;
    let location = match ObjectLocation::parse(url.text) {
        Ok(location) => location,
        Err(error) => {
            cx.refuse(url, "url", error.to_string());
            return None;
        }
    };
    let ObjectLocation::S3(mut place) = location else {
        for name in [
            "endpoint",
            "region",
            "access_key",
            "secret_key_file",
            "secret_key_env",
        ] {
            if fields.has(name) {
                let message = format!("`{name}` has no effect on a folder");
                cx.report(&CONFLICT, fields.key_span(name), message, "remove it");
            }
        }
        return Some(location);
    };
    let endpoint = cx.text(fields, "endpoint");
    place.endpoint = endpoint.map(|text| text.text.trim_end_matches('/').to_owned());
    let region = cx.text(fields, "region");
    region
        .map_or(DEFAULT_REGION, |text| text.text)
        .clone_into(&mut place.region);
    let secret = secret::decode(cx, fields, "secret_key");
    match cx.text(fields, "access_key") {
        Some(text) => text.text.clone_into(&mut place.access_key),
        None => missing(cx, fields, "access_key", "access_key = \"…\""),
    }
    if !fields.has("secret_key_file") && !fields.has("secret_key_env") && !fields.has("secret_key")
    {
        missing(cx, fields, "secret_key_file", "secret_key_file = \"…\"");
    }
    place.secret_key = secret.map_or(String::new(), |secret| secret.reveal().to_owned());
    let location = ObjectLocation::S3(place);
    if let Some(text) = endpoint
        && let Err(error) = ObjectStore::new(location.clone())
    {
        cx.refuse(text, "endpoint", error.to_string());
    }
    Some(location)
}

fn missing(cx: &mut Cx<'_>, fields: Fields<'_>, name: &str, line: &str) {
    let message = format!("`{name}` is missing in `objects`");
    cx.report(&MISSING, fields.span, message, format!("add `{line}`"));
}
