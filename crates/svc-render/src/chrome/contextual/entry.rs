//! Entries of the page menu.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use svc_config::{ContextualAction, CustomOption, IconLibrary};
use svc_data::percent;

use super::documents::documents;
use crate::chrome::View;
use crate::html::Html;
use crate::icons;

/// Action of an entry.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum EntryAction {
    /// A link; the second value is a URL template that the script completes.
    Link(String, Option<String>),
    /// A link to a file.
    File(String),
    /// Copies the Markdown of the page.
    CopyPage,
    /// Copies a text that the script completes.
    CopyText(&'static str),
    /// Opens the print dialog.
    Print,
}

/// An entry of the menu.
pub(super) struct MenuEntry {
    icon: Html,
    title: String,
    description: String,
    pub(super) action: EntryAction,
}

/// Placeholders of URL templates, replaced with percent-encoded values: the URL of the Markdown
/// version, the URL of the MCP server, its configuration for two editors, and the Markdown itself.
const PAGE: &str = "{page}";
const MCP: &str = "{mcp}";
const SETTINGS: &str = "{settings}";
const SERVER: &str = "{server}";
const MARKDOWN: &str = "{markdown}";

/// A built-in entry. `None` if it does not apply to the page.
pub(super) fn built_in(view: &View<'_>, action: ContextualAction) -> Option<MenuEntry> {
    if action.needs_mcp() && !has_mcp(view) {
        return None;
    }
    let texts = view.texts();
    let assistant = |name: &str, icon: &str, before: &str| {
        let prompt = texts.assistant_prompt.split_once("{}").unwrap_or(("", ""));
        let form = format!("{before}{}{PAGE}{}", encode(prompt.0), encode(prompt.1));
        entry(
            icon,
            texts.open_in.replace("{}", name),
            texts.open_assistant_about,
            link(view, form),
        )
    };
    let connect = |name: &str, icon: &str, form: String| {
        entry(
            icon,
            texts.connect_to.replace("{}", name),
            texts.mcp_about,
            link(view, form),
        )
    };
    let name = encode(&view.config().name);
    Some(match action {
        ContextualAction::Copy => entry(
            "copy",
            texts.copy_page,
            texts.copy_page_about,
            EntryAction::CopyPage,
        ),
        ContextualAction::View => entry(
            "file-text",
            texts.view_markdown,
            texts.view_markdown_about,
            EntryAction::Link(view.markdown_url(), None),
        ),
        // The site has no chat.
        ContextualAction::Assistant => return None,
        ContextualAction::DownloadPdf => entry(
            "printer",
            texts.save_pdf,
            texts.save_pdf_about,
            EntryAction::Print,
        ),
        ContextualAction::DownloadSpec => entry(
            "braces",
            texts.download_spec,
            texts.download_spec_about,
            EntryAction::File(documents(view)?),
        ),
        ContextualAction::ChatGpt => assistant("ChatGPT", "openai", "https://chatgpt.com/?q="),
        ContextualAction::Claude => assistant("Claude", "claude", "https://claude.ai/new?q="),
        ContextualAction::Perplexity => assistant(
            "Perplexity",
            "search",
            "https://www.perplexity.ai/search?q=",
        ),
        ContextualAction::Grok => assistant("Grok", "message-circle", "https://grok.com/?q="),
        ContextualAction::AiStudio => assistant(
            "Google AI Studio",
            "google",
            "https://aistudio.google.com/prompts/new_chat?prompt=",
        ),
        ContextualAction::Devin => assistant("Devin", "bot", "https://app.devin.ai/?prompt="),
        // Two names of the same editor.
        ContextualAction::Windsurf | ContextualAction::DevinDesktop => {
            assistant("Devin Desktop", "monitor", "devin://cascade?prompt=")
        }
        ContextualAction::Mcp => entry(
            "plug",
            texts.copy_mcp,
            texts.mcp_about,
            EntryAction::CopyText(MCP),
        ),
        ContextualAction::AddMcp => entry(
            "terminal",
            texts.copy_mcp_command,
            texts.mcp_about,
            EntryAction::CopyText("npx add-mcp {mcp}"),
        ),
        ContextualAction::Cursor => connect(
            "Cursor",
            "mouse-pointer-2",
            format!("cursor://anysphere.cursor-deeplink/mcp/install?name={name}&config={SETTINGS}"),
        ),
        ContextualAction::VsCode => {
            let name = serde_json::Value::from(view.config().name.as_str()).to_string();
            let before = encode(&format!("{{\"name\":{name},\"url\":\""));
            connect(
                "VS Code",
                "code",
                format!("vscode:mcp/install?{before}{MCP}%22%7D"),
            )
        }
        ContextualAction::DevinMcp => connect(
            "Devin",
            "bot",
            format!("https://app.devin.ai/settings/mcp-marketplace/setup/custom?config={SERVER}"),
        ),
    })
}

/// Whether the site has an MCP server at `/mcp`: that of svc, or one that an exported site redirects
/// to.
fn has_mcp(view: &View<'_>) -> bool {
    !view.cx.options.site.export || view.cx.site_map.redirect("/mcp").is_some()
}

/// An entry of the configuration.
pub(super) fn custom(view: &View<'_>, option: &CustomOption) -> MenuEntry {
    let with_placeholders = |text: &str, encoded: bool| {
        let text = if encoded {
            encode(text)
        } else {
            // Braces must not form the placeholders of built-in templates.
            text.replace('{', "%7B").replace('}', "%7D")
        };
        text.replace("%24", "$")
            .replace("$page", MARKDOWN)
            .replace("$path", &encode(&view.href(&view.route.path)))
            .replace("$mcp", MCP)
    };
    let mut form = with_placeholders(&option.href, false);
    for (at, (key, value)) in option.query.iter().enumerate() {
        form.push(if at == 0 && !form.contains('?') {
            '?'
        } else {
            '&'
        });
        form.push_str(&encode(key));
        form.push('=');
        form.push_str(&with_placeholders(value, true));
    }
    let act = if form.contains(MARKDOWN) || form.contains(MCP) {
        // Without the script, a link to the page replaces its text.
        let plain = form.replace(MARKDOWN, PAGE);
        match fill(view, &plain) {
            Some(filled) => EntryAction::Link(
                target(view, &filled),
                form.contains(MARKDOWN).then_some(form),
            ),
            None => EntryAction::Link(String::new(), Some(form)),
        }
    } else {
        EntryAction::Link(target(view, &form), None)
    };
    MenuEntry {
        icon: view.icon(option.icon.as_ref()),
        title: option.title.clone(),
        description: option.description.clone(),
        action: act,
    }
}

fn entry(icon: &str, title: impl Into<String>, about: &str, act: EntryAction) -> MenuEntry {
    let brand = matches!(icon, "openai" | "claude" | "google");
    let (library, style) = if brand {
        (IconLibrary::FontAwesome, Some("brands"))
    } else {
        (IconLibrary::Lucide, None)
    };
    MenuEntry {
        icon: icons::render_icon(icon, style, library).unwrap_or_default(),
        title: title.into(),
        description: about.to_owned(),
        action: act,
    }
}

/// The URL of a configured entry; schemes that run code are rejected by the configuration.
fn target(view: &View<'_>, href: &str) -> String {
    if href.starts_with(['/', '#']) {
        view.href(href)
    } else {
        href.to_owned()
    }
}

/// A link from a URL template: completed here if the origin of the site is known, otherwise by the
/// script.
fn link(view: &View<'_>, form: String) -> EntryAction {
    match fill(view, &form) {
        Some(filled) => EntryAction::Link(filled, None),
        None => EntryAction::Link(String::new(), Some(form)),
    }
}

fn fill(view: &View<'_>, form: &str) -> Option<String> {
    let (page, mcp) = (
        view.public_url(&view.markdown_path())?,
        view.public_url("/mcp")?,
    );
    let settings = serde_json::json!({ "url": mcp }).to_string();
    let name = &view.config().name;
    let server = serde_json::json!({ "name": name, "transport": "HTTP", "url": mcp }).to_string();
    let filled = form
        .replace(PAGE, &encode(&page))
        .replace(MCP, &encode(&mcp))
        .replace(SETTINGS, &encode(&STANDARD.encode(settings)))
        .replace(SERVER, &encode(&STANDARD.encode(server)));
    Some(filled)
}

fn encode(text: &str) -> String {
    percent::encode(text, percent::COMPONENT).into_owned()
}

impl MenuEntry {
    /// Writes the entry as a button.
    pub(super) fn button(&self, html: &mut Html) {
        self.open(html, "svc-page-menu-action");
        html.add(&self.icon).lit("<span>").esc(&self.title);
        html.lit("</span>");
        self.close(html);
    }

    /// Writes the entry as a list item with its description.
    pub(super) fn item(&self, html: &mut Html) {
        self.open(html, "svc-popup-item");
        html.add(&self.icon).lit("<span>").esc(&self.title);
        if !self.description.trim().is_empty() {
            html.lit("<small>").esc(&self.description).lit("</small>");
        }
        html.lit("</span>");
        if matches!(&self.action, EntryAction::Link(..)) {
            html.add(&crate::chrome::external_mark());
        }
        self.close(html);
    }

    fn open(&self, html: &mut Html, class: &'static str) {
        let needs_script = match &self.action {
            EntryAction::Link(href, _) => href.is_empty(),
            EntryAction::File(_) => false,
            EntryAction::CopyPage | EntryAction::CopyText(_) | EntryAction::Print => true,
        };
        let is_link = matches!(self.action, EntryAction::Link(..) | EntryAction::File(_));
        html.lit(if is_link {
            "<a class=\""
        } else {
            "<button class=\""
        })
        .lit(class);
        html.lit(if needs_script {
            " svc-needs-script\""
        } else {
            "\""
        });
        match &self.action {
            EntryAction::Link(href, form) => {
                let known = if href.is_empty() { "#" } else { href };
                html.attr("href", known);
                html.attr_if("data-form", form.as_deref());
                html.lit(" target=\"_blank\" rel=\"noopener noreferrer nofollow\"");
            }
            EntryAction::File(href) => {
                html.attr("href", href).lit(" download");
            }
            EntryAction::CopyPage => {
                html.lit(" type=\"button\" data-act=\"copy-page\"");
            }
            EntryAction::CopyText(form) => {
                html.lit(" type=\"button\" data-act=\"copy-text\"");
                html.attr("data-form", form);
            }
            EntryAction::Print => {
                html.lit(" type=\"button\" data-act=\"print\"");
            }
        }
        html.lit(">");
    }

    fn close(&self, html: &mut Html) {
        html.lit(match self.action {
            EntryAction::Link(..) | EntryAction::File(_) => "</a>",
            EntryAction::CopyPage | EntryAction::CopyText(_) | EntryAction::Print => "</button>",
        });
    }
}
