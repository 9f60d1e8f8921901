//! Diagnostic codes of the settings.

use svc_diagnostics::DiagnosticCode;

pub(super) static UNKNOWN_KEY: DiagnosticCode =
    DiagnosticCode::error("settings-unknown-key", "a key is unknown");
pub(super) static MISSING: DiagnosticCode =
    DiagnosticCode::error("settings-missing", "a required key is missing");
pub(super) static TYPE: DiagnosticCode =
    DiagnosticCode::error("settings-type", "a value has the wrong type");
pub(super) static VALUE: DiagnosticCode =
    DiagnosticCode::error("settings-value", "a value is not allowed");
pub(super) static CONFLICT: DiagnosticCode =
    DiagnosticCode::error("settings-conflict", "settings contradict each other");
pub(super) static DUPLICATE: DiagnosticCode = DiagnosticCode::error(
    "settings-duplicate",
    "the ID or host of a project is not unique",
);
pub(super) static SECRET: DiagnosticCode =
    DiagnosticCode::error("settings-secret", "the settings contain a secret");
pub(super) static SECRET_MISSING: DiagnosticCode =
    DiagnosticCode::error("settings-secret-missing", "a secret cannot be read");
pub(super) static WEAK_SECRET: DiagnosticCode =
    DiagnosticCode::warning("settings-secret-short", "a secret is too short");
pub(super) static SECRET_READABLE: DiagnosticCode = DiagnosticCode::warning(
    "settings-secret-readable",
    "a secret is readable by every user of the machine",
);
pub(super) static CERTIFICATE: DiagnosticCode = DiagnosticCode::error(
    "settings-certificate",
    "a certificate or its key cannot be used",
);
pub(super) static MISSING_DIR: DiagnosticCode =
    DiagnosticCode::warning("settings-folder", "the folder of a project does not exist");
pub(super) static SANDBOX: DiagnosticCode =
    DiagnosticCode::warning("settings-sandbox", "agents run without a sandbox");
pub(super) static RESERVED_TABLE: DiagnosticCode = DiagnosticCode::info(
    "settings-later",
    "a table is accepted but has no effect yet",
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
