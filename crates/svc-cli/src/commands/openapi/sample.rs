//! `svc openapi sample`.

use std::io;

use clap::Args;
use serde_json::Value;
use svc_openapi::{ApiDocument, Direction, MediaType, Operation, SchemaRef, example_at, examples};

use crate::commands::output::{eprint_escaped, print};
use crate::exit::Exit;

/// Print an example of a request, a response or a schema.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples of the author are printed if there are some, else a value that matches the schema.\nExit status: 0 printed, 1 there is no such operation, response or schema, 2 the file cannot be read."
)]
pub(crate) struct Arguments {
    /// Document: a file, or a URL that begins with `https://`
    file: String,
    /// Operation, for example `POST /pets`; its request is printed
    #[arg(required_unless_present = "schema", conflicts_with = "schema")]
    operation: Option<String>,
    /// Print the response with this status instead of the request
    #[arg(long, value_name = "STATUS")]
    response: Option<String>,
    /// Name of a schema in `components.schemas`
    #[arg(long, value_name = "NAME")]
    schema: Option<String>,
}

pub(crate) fn run(arguments: &Arguments) -> io::Result<Exit> {
    let file = super::document::read_or_fetch(&arguments.file)?;
    let Some(document) = svc_openapi::parse(&file).value else {
        let name = &arguments.file;
        eprint_escaped(&format!(
            "svc: `{name}` is not an OpenAPI document; run `svc openapi check {name}`\n"
        ));
        return Ok(Exit::Problems);
    };
    match sample(&document, arguments) {
        Ok(Value::String(text)) => print(&format!("{text}\n"))?,
        Ok(value) => print(&format!("{value:#}\n"))?,
        Err(sentence) => {
            eprint_escaped(&format!("svc: {sentence}\n"));
            return Ok(Exit::Problems);
        }
    }
    Ok(Exit::Success)
}

fn sample(document: &ApiDocument, arguments: &Arguments) -> Result<Value, String> {
    if let Some(name) = &arguments.schema {
        let segment = name.replace('~', "~0").replace('/', "~1");
        let location = SchemaRef::new(format!("/components/schemas/{segment}"));
        let direction = match arguments.response {
            Some(_) => Direction::Response,
            None => Direction::Request,
        };
        let value = example_at(document, &location, direction);
        return value.ok_or_else(|| format!("there is no schema `{name}`"));
    }
    let text = arguments.operation.as_deref().unwrap_or_default();
    let operation = find(document, text)
        .ok_or_else(|| format!("there is no operation `{text}`; write `METHOD /path`"))?;
    let Some(status) = &arguments.response else {
        let body = operation.request_body.as_ref();
        let body = body.ok_or_else(|| format!("`{text}` has no request body"))?;
        return first(document, &body.content, Direction::Request)
            .ok_or_else(|| format!("the request body of `{text}` has no schema"));
    };
    let mut responses = operation.responses.iter();
    let response = responses.find(|response| response.status.eq_ignore_ascii_case(status));
    let known = || {
        let all = operation.responses.iter();
        let all: Vec<&str> = all.map(|response| response.status.as_str()).collect();
        format!(
            "`{text}` has no response `{status}`; it has {}",
            all.join(", ")
        )
    };
    let response = response.ok_or_else(known)?;
    first(document, &response.content, Direction::Response)
        .ok_or_else(|| format!("the response `{status}` of `{text}` has no content"))
}

fn find<'d>(document: &'d ApiDocument, text: &str) -> Option<&'d Operation> {
    let (method, path) = text.trim().split_once(char::is_whitespace)?;
    let mut all = document.operations.iter().chain(&document.webhooks);
    all.find(|operation| {
        operation.method.eq_ignore_ascii_case(method) && operation.path == path.trim()
    })
}

fn first(document: &ApiDocument, content: &[MediaType], direction: Direction) -> Option<Value> {
    let mut all = content
        .iter()
        .flat_map(|media_type| examples(document, media_type, direction));
    all.next().map(|example| example.value)
}
