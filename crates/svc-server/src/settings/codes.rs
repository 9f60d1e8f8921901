//! Diagnostic codes of the settings.

use svc_diagnostics::{DiagnosticCode, diagnostic_code};

pub(super) static UNKNOWN_KEY: DiagnosticCode =
    diagnostic_code!(error, "settings-unknown-key", "a key is unknown");
pub(super) static MISSING: DiagnosticCode =
    diagnostic_code!(error, "settings-missing", "a required key is missing");
pub(super) static TYPE: DiagnosticCode =
    diagnostic_code!(error, "settings-type", "a value has the wrong type");
pub(super) static VALUE: DiagnosticCode =
    diagnostic_code!(error, "settings-value", "a value is not allowed");
pub(super) static CONFLICT: DiagnosticCode =
    diagnostic_code!(error, "settings-conflict", "settings contradict each other");
pub(super) static DUPLICATE: DiagnosticCode = diagnostic_code!(
    error,
    "settings-duplicate",
    "the ID or host of a project is not unique"
);
pub(super) static SECRET: DiagnosticCode =
    diagnostic_code!(error, "settings-secret", "the settings contain a secret");
pub(super) static SECRET_MISSING: DiagnosticCode =
    diagnostic_code!(error, "settings-secret-missing", "a secret cannot be read");
pub(super) static WEAK_SECRET: DiagnosticCode =
    diagnostic_code!(warning, "settings-secret-short", "a secret is too short");
pub(super) static SECRET_READABLE: DiagnosticCode = diagnostic_code!(
    warning,
    "settings-secret-readable",
    "a secret is readable by every user of the machine"
);
pub(super) static CERTIFICATE: DiagnosticCode = diagnostic_code!(
    error,
    "settings-certificate",
    "a certificate or its key cannot be used"
);
pub(super) static MISSING_DIR: DiagnosticCode = diagnostic_code!(
    warning,
    "settings-folder",
    "the folder of a project does not exist"
);
pub(super) static SANDBOX: DiagnosticCode =
    diagnostic_code!(warning, "settings-sandbox", "agents run without a sandbox");
pub(super) static RESERVED_TABLE: DiagnosticCode = diagnostic_code!(
    info,
    "settings-later",
    "a table is accepted but has no effect yet"
);

/// All diagnostic codes of the settings.
pub static SETTINGS_CODES: &[&DiagnosticCode] = &[
    &UNKNOWN_KEY,
    &MISSING,
    &TYPE,
    &VALUE,
    &CONFLICT,
    &DUPLICATE,
    &SECRET,
    &SECRET_MISSING,
    &WEAK_SECRET,
    &SECRET_READABLE,
    &CERTIFICATE,
    &MISSING_DIR,
    &SANDBOX,
    &RESERVED_TABLE,
];
