//! Levels of the log by target.

use std::str::FromStr;

use tracing::level_filters::LevelFilter;
use tracing_subscriber::filter::Targets;

use super::ACCESS_TARGET;

/// Prefix of the targets of this workspace, whose crates are called `svc_…`. A level without a
/// target does not apply to other crates, which may log what they send.
const OWN_TARGETS: &str = "svc_";

/// Levels of the log by target, such as `info` or `warn,svc_git=debug`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogFilter(Vec<(String, LevelFilter)>);

impl Default for LogFilter {
    fn default() -> Self {
        Self(vec![(OWN_TARGETS.to_owned(), LevelFilter::INFO)])
    }
}

/// A text is not a list of levels.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is not a level; write `error`, `warn`, `info`, `debug`, `trace` or `off`, or `TARGET=LEVEL`"
)]
pub struct ParseLogFilterError(String);

impl FromStr for LogFilter {
    type Err = ParseLogFilterError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut filter = Self::default();
        for part in text.split(',') {
            let error = || ParseLogFilterError(part.to_owned());
            let (target, level) = part.split_once('=').unwrap_or((OWN_TARGETS, part));
            let is_path = |b: u8| b.is_ascii_alphanumeric() || b"_:".contains(&b);
            if target.is_empty() || !target.bytes().all(is_path) {
                return Err(error());
            }
            let level = match level {
                "error" => LevelFilter::ERROR,
                "warn" => LevelFilter::WARN,
                "info" => LevelFilter::INFO,
                "debug" => LevelFilter::DEBUG,
                "trace" => LevelFilter::TRACE,
                "off" => LevelFilter::OFF,
                _ => return Err(error()),
            };
            filter.0.push((target.to_owned(), level));
        }
        Ok(filter)
    }
}

impl LogFilter {
    /// Regular expression of the valid texts, for the schema of the settings.
    pub(crate) const PATTERN: &'static str = "^([A-Za-z0-9_:]+=)?(error|warn|info|debug|trace|off)(,([A-Za-z0-9_:]+=)?(error|warn|info|debug|trace|off))*$";

    /// The filter of a subscriber. `access` is whether requests are logged.
    pub(super) fn targets(&self, access: bool) -> Targets {
        // The last level of a target applies.
        let targets: Targets = self.0.iter().cloned().collect();
        let level = match access {
            true => LevelFilter::INFO,
            false => LevelFilter::OFF,
        };
        targets.with_target(ACCESS_TARGET, level)
    }
}
