//! Diagnostic codes of migrations.

use svc_diagnostics::{DiagnosticCode, diagnostic_code};

/// The configuration cannot be read completely.
pub static MIGRATE_CONFIG: DiagnosticCode = diagnostic_code!(
    warning,
    "migrate-config",
    "the configuration of the old site is not read completely"
);
/// A setting or plugin has no equivalent.
pub static MIGRATE_SETTING: DiagnosticCode = diagnostic_code!(
    warning,
    "migrate-setting",
    "a setting of the old site has no equivalent"
);
/// A file that is referenced does not exist.
pub static MIGRATE_MISSING: DiagnosticCode = diagnostic_code!(
    warning,
    "migrate-missing-file",
    "a file that the old site names does not exist"
);
/// Syntax of the old generator without an equivalent.
pub static MIGRATE_SYNTAX: DiagnosticCode = diagnostic_code!(
    warning,
    "migrate-syntax",
    "syntax of the old generator has no equivalent"
);
/// Appearance that is not converted.
pub static MIGRATE_STYLE: DiagnosticCode = diagnostic_code!(
    info,
    "migrate-style",
    "styling of the old site is not converted"
);
/// HTML or JSX that is not valid and was changed.
pub static MIGRATE_MARKUP: DiagnosticCode = diagnostic_code!(
    warning,
    "migrate-markup",
    "markup that is not valid in MDX was changed"
);
/// A limit was exceeded.
pub static MIGRATE_LIMIT: DiagnosticCode = diagnostic_code!(
    error,
    "migrate-limit",
    "a limit of the migration is exceeded"
);

/// All diagnostic codes of this crate.
pub static CODES: &[&DiagnosticCode] = &[
    &MIGRATE_CONFIG,
    &MIGRATE_SETTING,
    &MIGRATE_MISSING,
    &MIGRATE_SYNTAX,
    &MIGRATE_STYLE,
    &MIGRATE_MARKUP,
    &MIGRATE_LIMIT,
];
