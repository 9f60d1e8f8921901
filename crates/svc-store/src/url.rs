//! URLs of stores.

use std::path::Path;
use std::str::FromStr as _;

use sqlx::ConnectOptions as _;
use sqlx::postgres::PgConnectOptions;

use crate::error::OpenError;

/// A store, by its URL.
pub(crate) enum StoreUrl<'a> {
    /// Path of the file: `sqlite:PATH`.
    Sqlite(&'a Path),
    /// `postgres://USER:PASSWORD@HOST/DATABASE`.
    Postgres(Box<PgConnectOptions>),
}

impl<'a> StoreUrl<'a> {
    /// Parses a URL. The error does not contain it, because it may contain a password.
    pub(crate) fn parse(url: &'a str) -> Result<Self, OpenError> {
        let invalid = |text: &str| Err(OpenError::InvalidUrl(text.to_owned()));
        match url.split_once(':') {
            Some(("sqlite", "")) => invalid("the path after `sqlite:` is missing"),
            Some(("sqlite", path)) => Ok(Self::Sqlite(Path::new(path))),
            Some(("postgres" | "postgresql", _)) => {
                let options = PgConnectOptions::from_str(url);
                let options = options.map_err(|error| OpenError::InvalidUrl(error.to_string()))?;
                let options = options.application_name("svc").disable_statement_logging();
                Ok(Self::Postgres(Box::new(options)))
            }
            _ => invalid("the URL begins with neither `sqlite:` nor `postgres:`"),
        }
    }
}
