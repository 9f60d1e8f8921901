//! `[agent]`: the agent program that runs jobs.

use std::time::Duration;

use svc_agent::Sandbox;

use super::decode::{Cx, Fields};
use super::secret;
use super::table::{DefaultValue, TableSchema, ValueType, key};

/// The agent program that runs jobs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentSettings {
    /// The program and its arguments.
    pub command: Vec<String>,
    /// Environment variables of the server that the program inherits.
    pub environment: Vec<String>,
    /// Isolation of the program from the server.
    pub sandbox: Sandbox,
    /// Timeout of a run.
    pub timeout: Duration,
    /// Maximum number of concurrent jobs.
    pub concurrency: usize,
    /// Name of the model that jobs report.
    pub model: String,
    /// Name and e-mail address of the author of commits.
    pub author: (String, String),
}

pub(super) static TABLE: TableSchema = TableSchema {
    name: "agent",
    about: "The agent program. It runs the jobs of all projects that have a table `[projects.agent]`.",
    keys: &[
        key(
            "command",
            ValueType::Texts(""),
            "The program and its arguments. It runs in a clone of the repository and reads the prompt from standard input.",
        )
        .required()
        .example("[\"/usr/local/bin/agent\", \"--quiet\"]"),
        key(
            "environment",
            ValueType::Texts(secret::VARIABLE),
            "Environment variables of the server that the program inherits. It inherits no others.",
        )
        .default(DefaultValue::Described("none"))
        .example("[\"AGENT_KEY\"]"),
        key(
            "sandbox",
            ValueType::Text("^(auto|none)$"),
            "Isolation of the program from the server: `auto` runs it in bubblewrap (`bwrap`) and fails jobs if that is not possible; `none` runs it with all permissions of the server's user.",
        )
        .default(DefaultValue::Text("auto")),
        key("timeout", ValueType::Duration(1), "Timeout of a run of the program.")
            .default(DefaultValue::Text("30m")),
        key(
            "concurrency",
            ValueType::Count(1, 64),
            "Maximum number of concurrent jobs.",
        )
        .default(DefaultValue::Count(1)),
        key(
            "model",
            ValueType::Text(""),
            "Name of the model that jobs report.",
        )
        .default(DefaultValue::Described("the name of the program"))
        .example("\"writer-2\""),
        key(
            "author",
            ValueType::Text("^[^<>]+ <[^<> ]+>$"),
            "Author and committer of commits.",
        )
        .default(DefaultValue::Text("svc agent <svc-agent@localhost>"))
        .example("\"Docs agent <docs-agent@example.com>\""),
    ],
    choices: &[],
};

pub(super) fn decode(cx: &mut Cx<'_>, server: Fields<'_>) -> Option<AgentSettings> {
    let fields = cx.open(server.get("agent")?, &TABLE)?;
    let command = cx.texts(fields, "command").unwrap_or_default();
    let command: Vec<String> = command.iter().map(|text| text.text.to_owned()).collect();
    let mut environment = Vec::new();
    for text in cx.texts(fields, "environment").unwrap_or_default() {
        let letters = |b: u8| b.is_ascii_alphanumeric() || b == b'_';
        let digit = text.text.starts_with(|c: char| c.is_ascii_digit());
        if digit || !text.text.bytes().all(letters) {
            cx.refuse(
                text,
                "environment",
                "write the names of environment variables: `AGENT_KEY`",
            );
        } else {
            environment.push(text.text.to_owned());
        }
    }
    let sandbox = match cx.text(fields, "sandbox") {
        Some(text) if text.text == "none" => {
            let message = "agents run without a sandbox and can read the secrets of this server and of all its projects";
            let hint = "remove `sandbox = \"none\"` unless you trust every user who can send prompts to them, or run a separate server for them";
            cx.report(&super::codes::SANDBOX, text.span, message, hint);
            Sandbox::None
        }
        Some(text) if text.text != "auto" => {
            cx.refuse(text, "sandbox", "write `auto` or `none`");
            Sandbox::Auto
        }
        _ => Sandbox::Auto,
    };
    let model = cx.text(fields, "model").map(|text| text.text.to_owned());
    let program = command.first().map(|program| {
        let name = std::path::Path::new(program).file_name();
        name.and_then(|name| name.to_str())
            .unwrap_or("agent")
            .to_owned()
    });
    if fields.has("command") && program.is_none() {
        let span = fields.key_span("command");
        let message = "`command` names no program";
        cx.report(
            &super::codes::VALUE,
            span,
            message,
            "write `command = [\"PROGRAM\"]`",
        );
    }
    Some(AgentSettings {
        author: author(cx, fields)?,
        environment,
        sandbox,
        timeout: cx.duration(fields, "timeout")?,
        concurrency: cx.count(fields, "concurrency")?,
        model: model.or_else(|| program.clone()).unwrap_or_default(),
        command: program.map(|_| command)?,
    })
}

/// Splits `Name <address>` into the name and the e-mail address.
fn author(cx: &mut Cx<'_>, fields: Fields<'_>) -> Option<(String, String)> {
    let text = cx.text(fields, "author");
    let defaults = fields.default_text("author").unwrap_or_default();
    let read = parsed_author(text.as_ref().map_or(defaults, |text| text.text));
    if let (None, Some(text)) = (&read, text) {
        let hint = "write a name and an e-mail address: `Docs agent <docs-agent@example.com>`";
        cx.refuse(text, "author", hint);
    }
    read
}

fn parsed_author(text: &str) -> Option<(String, String)> {
    let (name, email) = text.strip_suffix('>')?.split_once(" <")?;
    let plain = |text: &str| {
        let is_invalid = |c: char| c.is_control() || "<>".contains(c);
        !text.trim().is_empty() && text.len() <= 200 && !text.contains(is_invalid)
    };
    let fits = plain(name) && plain(email) && !email.contains(char::is_whitespace);
    fits.then(|| (name.trim().to_owned(), email.to_owned()))
}
