//! The text of the page that says how to connect clients, in MDX.

use std::fmt::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use svc_data::percent;
use svc_site::Site;

use crate::tools::tool_definitions;

/// Title of the page.
pub const SETUP_TITLE: &str = "Connect to the MCP server";
/// Maximum length of the name of the server in settings: clients put it before the names of tools.
const MAX_NAME_CHARS: usize = 30;

/// The text of the page for the MCP server at `url`, whose characters must all be allowed in a URL.
pub fn setup_text(site: &Site, url: &str) -> String {
    let name = server_name(&site.config.name);
    let mut out = String::from(
        "AI assistants and editors can search and read this documentation with the Model Context Protocol. No account is needed.\n\n",
    );
    // Writing to a String cannot fail.
    let _ = write!(out, "```text URL\n{url}\n```\n\n");
    let cursor = json!({ "url": url }).to_string();
    let cursor = encode(&STANDARD.encode(cursor));
    let code = json!({"name": name, "type": "http", "url": url}).to_string();
    let _ = write!(
        out,
        "<Columns cols={{2}}>\n<Card title=\"Add to Cursor\" icon=\"mouse-pointer-2\" horizontal href=\"cursor://anysphere.cursor-deeplink/mcp/install?name={name}&config={cursor}\" />\n<Card title=\"Add to VS Code\" icon=\"code\" horizontal href=\"vscode:mcp/install?{}\" />\n</Columns>\n\n## Clients\n\n<Tabs>\n",
        encode(&code)
    );
    let servers = |key: &str, entry: Value| pretty(&json!({ key: { &name: entry } }));
    for (client, text) in [
        (
            "Claude Code",
            format!("```bash\nclaude mcp add --transport http {name} {url}\n```"),
        ),
        (
            "Claude",
            "On the web and in Claude Desktop: **Settings → Connectors → Add custom connector**, then enter the URL.".to_owned(),
        ),
        (
            "Cursor",
            format!("```json .cursor/mcp.json\n{}\n```", servers("mcpServers", json!({ "url": url }))),
        ),
        (
            "VS Code",
            format!(
                "```json .vscode/mcp.json\n{}\n```",
                servers("servers", json!({"type": "http", "url": url}))
            ),
        ),
        (
            "Codex",
            format!("```bash\ncodex mcp add {name} --url {url}\n```\n\n```toml ~/.codex/config.toml\n[mcp_servers.{name}]\nurl = \"{url}\"\n```"),
        ),
        (
            "Gemini CLI",
            format!(
                "```bash\ngemini mcp add --transport http {name} {url}\n```\n\n```json .gemini/settings.json\n{}\n```",
                servers("mcpServers", json!({ "httpUrl": url }))
            ),
        ),
        (
            "Windsurf",
            format!(
                "```json ~/.codeium/windsurf/mcp_config.json\n{}\n```",
                servers("mcpServers", json!({ "serverUrl": url }))
            ),
        ),
        (
            "ChatGPT",
            "**Settings → Connectors**, with the developer mode enabled: create a connector with the URL and without authentication.".to_owned(),
        ),
        (
            "Other",
            "The server uses the transport Streamable HTTP and needs no authentication. Enter the URL in the settings of the client.".to_owned(),
        ),
    ] {
        let _ = write!(out, "<Tab title=\"{client}\">\n\n{text}\n\n</Tab>\n");
    }
    out.push_str("</Tabs>\n\n## Tools\n\n| Tool | What it does |\n| --- | --- |\n");
    for tool in tool_definitions(site) {
        let text = |name: &str| tool[name].as_str().unwrap_or_default().replace('|', "\\|");
        let _ = writeln!(out, "| `{}` | {} |", text("name"), text("description"));
    }
    out
}

fn pretty(value: &Value) -> String {
    format!("{value:#}")
}

fn encode(text: &str) -> String {
    percent::encode(text, percent::COMPONENT).into_owned()
}

/// A name for settings: lower-case ASCII letters, digits and hyphens.
fn server_name(title: &str) -> String {
    let mut out = String::new();
    for c in title.chars() {
        if out.len() >= MAX_NAME_CHARS {
            break;
        }
        if c.is_ascii_alphanumeric() {
            out.push(c.to_ascii_lowercase());
        } else if !out.is_empty() && !out.ends_with('-') {
            out.push('-');
        }
    }
    let name = out.trim_end_matches('-');
    match name.is_empty() {
        true => "docs".to_owned(),
        false => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_site;

    #[test]
    fn settings_have_the_url_and_a_short_name() {
        let text = setup_text(&test_site::api(), "https://docs.acme.com/mcp");
        for part in [
            "claude mcp add --transport http acme https://docs.acme.com/mcp",
            "vscode:mcp/install?%7B%22name%22%3A%22acme%22",
            "config=eyJ1cmwiOiJodHRwczovL2RvY3MuYWNtZS5jb20vbWNwIn0%3D",
            "| `api` | ",
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
        assert_eq!(server_name("Acme & Co. Docs!"), "acme-co-docs");
        assert_eq!(server_name("文档"), "docs");
        assert!(server_name(&"a b".repeat(50)).len() <= MAX_NAME_CHARS);
    }
}
