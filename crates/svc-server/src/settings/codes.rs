//! The codes of the settings.

use svc_diagnostics::DiagnosticCode;

/// A key that no table has.
pub(super) static UNKNOWN_KEY: DiagnosticCode = DiagnosticCode::error(
    "settings-unknown-key",
    "a key that the settings do not know",
);
/// A key that has to be there.
pub(super) static MISSING: DiagnosticCode =
    DiagnosticCode::error("settings-missing", "a required key is missing");
/// Text in place of a number, and the like.
pub(super) static TYPE: DiagnosticCode =
    DiagnosticCode::error("settings-type", "a value is of the wrong type");
/// A value of the right type that means nothing.
pub(super) static VALUE: DiagnosticCode =
    DiagnosticCode::error("settings-value", "a value has the wrong form");
/// Keys that exclude each other.
pub(super) static CONFLICT: DiagnosticCode =
    DiagnosticCode::error("settings-conflict", "settings contradict each other");
/// Two projects with one id or one host.
pub(super) static DUPLICATE: DiagnosticCode = DiagnosticCode::error(
    "settings-duplicate",
    "two projects claim the same id or host",
);
/// A secret in the file.
pub(super) static SECRET: DiagnosticCode = DiagnosticCode::error(
    "settings-secret",
    "secrets stand in files of their own or in the environment",
);
/// A secret that is named but not there.
pub(super) static SECRET_MISSING: DiagnosticCode =
    DiagnosticCode::error("settings-secret-missing", "a secret cannot be read");
/// A secret that can be guessed.
pub(super) static WEAK_SECRET: DiagnosticCode =
    DiagnosticCode::warning("settings-secret-short", "a secret can be guessed");
/// A secret that everybody on the machine may read.
pub(super) static SECRET_READABLE: DiagnosticCode = DiagnosticCode::warning(
    "settings-secret-readable",
    "every user of the machine may read a secret",
);
/// A folder that is not there.
pub(super) static MISSING_DIR: DiagnosticCode =
    DiagnosticCode::warning("settings-folder", "the folder of a project does not exist");
/// Agents that are not kept apart from the server.
pub(super) static SANDBOX: DiagnosticCode =
    DiagnosticCode::warning("settings-sandbox", "agents run without a sandbox");
/// A table for later.
pub(super) static RESERVED_TABLE: DiagnosticCode = DiagnosticCode::info(
    "settings-later",
    "a table is accepted but has no effect yet",
);

/// All codes of the settings.
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
    &MISSING_DIR,
    &SANDBOX,
    &RESERVED_TABLE,
];
