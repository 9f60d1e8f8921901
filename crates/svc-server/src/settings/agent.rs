//! `[agent]`: the program that works on jobs.

use std::time::Duration;

use svc_agent::Sandbox;

use super::decode::{Cx, Fields};
use super::secret;
use super::table::{DefaultValue, TableSchema, ValueType, key};

/// The program that works on jobs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentSettings {
    /// The program and its arguments.
    pub command: Vec<String>,
    /// Variables of the server's environment that it gets.
    pub environment: Vec<String>,
    /// Whether it is kept apart from the server.
    pub sandbox: Sandbox,
    /// Time for one run of it.
    pub timeout: Duration,
    /// Jobs that are worked on at once.
    pub concurrency: usize,
    /// What jobs say about what worked on them.
    pub model: String,
    /// Name and address of whom commits name.
    pub author: (String, String),
}

pub(super) static TABLE: TableSchema = TableSchema {
    name: "agent",
    about: "The program that works on the jobs of all projects that have a table `[projects.agent]`.",
    keys: &[
        key(
            "command",
            ValueType::Texts(""),
            "The program and its arguments. It runs in a clone of the repository and gets the prompt \
             on its standard input.",
        )
        .required()
        .example("[\"/usr/local/bin/agent\", \"--quiet\"]"),
        key(
            "environment",
            ValueType::Texts(secret::VARIABLE),
            "Variables of the server's environment that the program gets; it gets no others.",
        )
        .default(DefaultValue::Described("none"))
        .example("[\"AGENT_KEY\"]"),
        key(
            "sandbox",
            ValueType::Text("^(auto|none)$"),
            "What keeps the program apart from the server: `auto` runs it in bubblewrap (`bwrap`) and \
             fails jobs where that does not work; with `none` it may do all that the account of the \
             server may do.",
        )
        .default(DefaultValue::Text("auto")),
        key("timeout", ValueType::Duration(1), "Time for one run of the program.")
            .default(DefaultValue::Text("30m")),
        key(
            "concurrency",
            ValueType::Count(1, 64),
            "Jobs that are worked on at once.",
        )
        .default(DefaultValue::Count(1)),
        key(
            "model",
            ValueType::Text(""),
            "What jobs say about what worked on them.",
        )
        .default(DefaultValue::Described("the name of the program"))
        .example("\"writer-2\""),
        key(
            "author",
            ValueType::Text("^[^<>]+ <[^<> ]+>$"),
            "Whom commits name as author and committer.",
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
            cx.refuse(text, "environment", "write names of variables: `AGENT_KEY`");
        } else {
            environment.push(text.text.to_owned());
        }
    }
    let sandbox = match cx.text(fields, "sandbox") {
        Some(text) if text.text == "none" => {
            let message = "agents run without a sandbox: they may read the secrets of this server and of all its projects";
            let hint = "remove `sandbox = \"none\"` unless you trust everybody who may send messages to them, or run the server for them alone";
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
        let place = fields.key_span("command");
        let message = "`command` names no program";
        cx.report(
            &super::codes::VALUE,
            place,
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

/// Name and address of `Name <address>`.
fn author(cx: &mut Cx<'_>, fields: Fields<'_>) -> Option<(String, String)> {
    let text = cx.text(fields, "author");
    let usual = fields.default_text("author").unwrap_or_default();
    let read = parsed_author(text.as_ref().map_or(usual, |text| text.text));
    if let (None, Some(text)) = (&read, text) {
        let hint = "write name and address: `Docs agent <docs-agent@example.com>`";
        cx.refuse(text, "author", hint);
    }
    read
}

fn parsed_author(text: &str) -> Option<(String, String)> {
    let (name, address) = text.strip_suffix('>')?.split_once(" <")?;
    let plain = |text: &str| {
        let refused = |c: char| c.is_control() || "<>".contains(c);
        !text.trim().is_empty() && text.len() <= 200 && !text.contains(refused)
    };
    let fits = plain(name) && plain(address) && !address.contains(char::is_whitespace);
    fits.then(|| (name.trim().to_owned(), address.to_owned()))
}
