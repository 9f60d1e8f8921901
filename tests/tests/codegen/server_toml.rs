//! The reference of `server.toml` and its schema, from the descriptions of `svc-server`.

use std::fmt::Write as _;

use svc_server::{SettingsKey, SettingsTable};

use super::GENERATED;

/// Returns the schema as a file.
pub(super) fn schema() -> String {
    format!("{:#}\n", svc_server::settings_schema())
}

/// Returns the page with all keys.
pub(super) fn page() -> String {
    let mut out = String::from(
        "---\ntitle: server.toml\ndescription: Every key of the settings of a server with its type, default and rules.\nicon: file-cog\n---\n\n",
    );
    out.push_str(GENERATED);
    out.push_str(
        "\nThe settings of `svc-server --config server.toml`, explained with examples in \
         [Server settings](/guides/server-settings). The file is TOML. Unknown keys are errors. Paths are \
         relative to the folder of the file. Durations are numbers with units, `90s`, `5m`, `1h30m`, `14d`; so are \
         sizes: `500KB`, `100MB`, `2GiB`.\n",
    );
    for table in svc_server::settings_tables() {
        section(&mut out, &table);
    }
    out
}

fn section(out: &mut String, table: &SettingsTable) {
    let title = match table.header.as_str() {
        "" => "Top of the file".to_owned(),
        header => format!("`{header}`"),
    };
    // Writing to a String cannot fail.
    let _ = write!(out, "\n## {title}\n\n{}\n", table.about);
    for rule in &table.rules {
        let _ = write!(out, "\n{rule}\n");
    }
    for key in &table.keys {
        field(out, key);
    }
}

fn field(out: &mut String, key: &SettingsKey) {
    let _ = write!(
        out,
        "\n<ResponseField name=\"{}\" type=\"{}\"",
        key.name, key.kind
    );
    if key.required {
        out.push_str(" required");
    }
    out.push_str(">\n");
    // Names in braces are in code, where they are not parsed as expressions.
    out.push_str(&key.about);
    if let Some(default) = &key.default {
        let _ = write!(out, " Default: {default}.");
    }
    if let Some(example) = key.example {
        let _ = write!(out, " Example: `{} = {example}`.", key.name);
    }
    out.push_str("\n</ResponseField>\n");
}
