//! Code blocks: a bar with title and copy button, and highlighted lines.

use svc_config::SiteConfig;
use svc_diagnostics::Span;
use svc_openapi::request::{Token, TokenKind};

use crate::code::{
    FenceMeta, Highlighter, MarkKind, Themes, apply_notations, canonical_language, is_theme,
    mark_words, parse_meta, without_twoslash,
};
use crate::ctx::{Ctx, Panel, ParentContext, Reader, RenderContext};
use crate::html::Html;
use crate::icons;
use crate::ui::{DiagramOptions, diagram};

/// A fenced code block.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Fence<'a> {
    /// First word of the info string.
    pub(crate) lang: Option<&'a str>,
    /// Rest of the info string.
    pub(crate) meta: &'a str,
    pub(crate) code: &'a str,
    pub(crate) span: Span,
}

/// Code with its options.
#[derive(Debug, Clone, Default)]
pub(crate) struct Code<'a> {
    /// Language as written.
    pub(crate) lang: Option<&'a str>,
    pub(crate) code: &'a str,
    /// Tokens of generated code; if `None`, the code is highlighted by its language. Generated code
    /// is not added to the search text, because its source is already.
    pub(crate) tokens: Option<&'a [Token]>,
    /// Title, icon, marked lines.
    pub(crate) meta: FenceMeta,
    pub(crate) span: Span,
}

/// Renders a fenced code block; in a code group it becomes a panel.
pub(crate) fn code_block(cx: &mut Ctx<'_>, fence: &Fence<'_>) -> Html {
    let code = cx.substitute(fence.code).into_owned();
    if fence.lang == Some("mermaid") {
        let meta = parse_meta(fence.meta);
        let wishes = DiagramOptions {
            placement: meta.placement.as_deref(),
            actions: meta.actions.as_deref().map(|value| value != "false"),
        };
        return diagram(cx, &code, wishes, fence.span);
    }
    let mut meta = parse_meta(fence.meta);
    let mut lang = fence.lang;
    if lang == Some("nocopy") {
        lang = None;
        meta.nocopy = Some(true);
    }
    show(
        cx,
        Code {
            lang,
            code: &code,
            tokens: None,
            meta,
            span: fence.span,
        },
    )
}

/// Renders code in place, or adds it to the surrounding group.
pub(crate) fn show(cx: &mut Ctx<'_>, code: Code<'_>) -> Html {
    let grouped = matches!(
        cx.frames.current(),
        Some(ParentContext::Panels { code: true, .. })
    );
    if !grouped {
        return framed(cx, &code, true);
    }
    let title = code.meta.title.clone().unwrap_or_default();
    let icon = code.meta.icon.clone();
    let icon = icon.map(|name| icons::named(cx, &name, None, code.span));
    let language = code.lang.map(language_name).unwrap_or_default();
    let body = framed(cx, &code, false);
    if let Some(ParentContext::Panels { panels, .. }) = cx.frames.current() {
        panels.push(Panel {
            title,
            id: None,
            icon,
            language,
            body,
        });
    }
    Html::new()
}

/// Renders the block with its frame; without a bar if the surrounding group shows the titles.
fn framed(cx: &mut Ctx<'_>, code: &Code<'_>, with_bar: bool) -> Html {
    cx.out.features.code = true;
    let meta = &code.meta;
    if let Some(title) = &meta.title {
        cx.out.text.push_line(title);
    }
    if code.tokens.is_none() {
        cx.out.text.push_code(code.code);
    }
    let mut out = Html::new();
    let title = meta.title.as_deref().filter(|_| with_bar);
    let icon = meta.icon.clone().filter(|_| with_bar);
    let barred = title.is_some() || icon.is_some();
    let long = code.code.bytes().filter(|byte| *byte == b'\n').count() > 12;
    let folded = meta.expandable == Some(true) && long;
    let own_theme = own_theme(code);
    out.lit("<div class=\"svc-code code-block");
    if let Some(theme) = own_theme {
        cx.out.features.code_themes.insert(theme.to_owned());
        out.lit(" ").esc(&theme_class(theme));
    }
    out.lit("\" data-svc-code");
    out.flag("data-lines", meta.lines == Some(true));
    out.flag("data-wrap", meta.wrap == Some(true));
    out.flag("data-flat", code.tokens.is_some());
    out.flag("data-bar", barred);
    out.flag("data-expandable", folded);
    out.flag("data-prompt", code.lang.is_some_and(has_prompts));
    let rendered = lines(cx, code, own_theme);
    out.flag("data-focused", rendered.focused);
    out.lit(">");
    if barred {
        out.lit("<div class=\"svc-code-bar\">");
        if let Some(name) = icon {
            let icon = icons::named(cx, &name, None, code.span);
            out.lit("<span class=\"svc-code-icon code-block-icon\">")
                .add(&icon)
                .lit("</span>");
        }
        out.lit("<span class=\"svc-code-title\">")
            .esc(title.unwrap_or_default())
            .lit("</span></div>");
    }
    if meta.nocopy != Some(true) {
        out.lit(COPY)
            .attr("aria-label", cx.texts.copy)
            .attr("title", cx.texts.copy)
            .lit("></button>");
    }
    out.lit("<pre class=\"svc-code-body\" tabindex=\"0\"><code");
    if let Some(lang) = code.lang {
        out.attr("class", &format!("language-{}", class_name(lang)));
    }
    out.lit(">").add(&rendered.html).lit("</code></pre>");
    if folded {
        out.lit("<button type=\"button\" class=\"svc-code-more\" data-svc-more hidden")
            .attr("data-other", cx.texts.show_less)
            .lit("><span>")
            .esc(cx.texts.show_all)
            .lit("</span></button>");
    }
    out.lit("</div>\n");
    let _ = cx.charge(out.len());
    out
}

/// The copy button; it is shown by scripts, with an icon from the style sheet.
const COPY: &str = "<button type=\"button\" class=\"svc-code-copy code-block-copy-button\" \
    data-svc-copy hidden";

/// The rendered lines of a block.
struct CodeLines {
    html: Html,
    /// Whether some lines are focused and the others dimmed.
    focused: bool,
}

fn lines(cx: &Ctx<'_>, code: &Code<'_>, own_theme: Option<&str>) -> CodeLines {
    if let Some(tokens) = code.tokens {
        return CodeLines {
            html: highlight_tokens(cx, tokens),
            focused: false,
        };
    }
    let marked = apply_notations(code.code);
    let text = if code.meta.twoslash == Some(true) {
        without_twoslash(&marked.code)
    } else {
        std::borrow::Cow::Borrowed(&*marked.code)
    };
    let themes = own_theme.map_or_else(
        || themes(cx.input.config),
        |name| Themes {
            light: name,
            dark: name,
        },
    );
    let lang = code.meta.lang.as_deref().or(code.lang);
    // Colors cost more than the rest of a page.
    let lang = lang.filter(|_| cx.input.reader != Reader::Agent);
    let highlighted = cx.input.highlighter.html(lang, &text, &themes);
    let mut next = marked.lines.iter().peekable();
    let mut out = Html::new();
    let mut focused = !code.meta.focus.is_empty();
    for (at, line) in highlighted.lines.into_iter().enumerate() {
        let number = at + 1;
        let mut classes = [
            (" line-highlight", code.meta.highlight.contains(number)),
            (" line-focus", code.meta.focus.contains(number)),
            (" line-diff line-add", false),
            (" line-diff line-remove", false),
            (" line-error", false),
            (" line-warning", false),
        ];
        while let Some(mark) = next.next_if(|mark| mark.line <= number) {
            let index = match mark.kind {
                MarkKind::Highlight => 0,
                MarkKind::Focus => 1,
                MarkKind::Add => 2,
                MarkKind::Remove => 3,
                MarkKind::Error => 4,
                MarkKind::Warning => 5,
            };
            focused |= mark.kind == MarkKind::Focus;
            if let Some(class) = classes.get_mut(index) {
                class.1 = true;
            }
        }
        if at > 0 {
            out.lit("\n");
        }
        out.lit("<span class=\"line");
        for (class, _) in classes.into_iter().filter(|class| class.1) {
            out.lit(class);
        }
        let words: Vec<&str> = marked
            .words
            .iter()
            .filter(|word| (word.first..=word.last).contains(&number))
            .map(|word| word.word.as_str())
            .collect();
        let line = if words.is_empty() {
            line
        } else {
            mark_words(&line, &words)
        };
        out.lit("\">").add(&Html::trusted(line)).lit("</span>");
    }
    CodeLines { html: out, focused }
}

/// Renders tokens in the colors of the site's themes. Lines have no elements of their own, because
/// they have no marks and an API reference has very many.
fn highlight_tokens(cx: &Ctx<'_>, tokens: &[Token]) -> Html {
    let classes = cx.cache.token_classes.get_or_init(|| {
        let themes = themes(cx.input.config);
        let class = |scope| cx.input.highlighter.class_of(scope, &themes);
        let classes = TOKEN_SCOPES.iter();
        classes.map(|(kind, scope)| (*kind, class(scope))).collect()
    });
    let mut out = Html::new();
    for token in tokens {
        let class = classes.iter().find(|(kind, _)| *kind == token.kind);
        let class = class
            .map(|(_, class)| class.as_str())
            .filter(|class| !class.is_empty());
        match class.filter(|_| !token.text.trim().is_empty()) {
            Some(class) => {
                out.lit("<span")
                    .attr("class", class)
                    .lit(">")
                    .esc(&token.text)
                    .lit("</span>");
            }
            None => {
                out.esc(&token.text);
            }
        }
    }
    out
}

/// TextMate scopes of the tokens of a sample.
const TOKEN_SCOPES: [(TokenKind, &str); 6] = [
    (TokenKind::Name, "support.type.property-name.json"),
    (TokenKind::Keyword, "keyword.control"),
    (TokenKind::String, "string.quoted.double"),
    (TokenKind::Number, "constant.numeric"),
    (TokenKind::Function, "entity.name.function"),
    (TokenKind::Comment, "comment.line"),
];

/// The theme that is set on the block itself.
fn own_theme<'a>(code: &'a Code<'_>) -> Option<&'a str> {
    code.meta.theme.as_deref().filter(|name| is_theme(name))
}

/// The class of blocks with their own theme; names of themes consist of letters, digits and
/// hyphens.
fn theme_class(theme: &str) -> String {
    format!("svc-code-theme-{theme}")
}

/// Whether lines of the language begin with a prompt, which must not be copied.
fn has_prompts(lang: &str) -> bool {
    canonical_language(lang) == Some("shellsession") || lang.eq_ignore_ascii_case("pycon")
}

/// The themes of a site; an unknown name is replaced by the default.
fn themes(config: &SiteConfig) -> Themes<'_> {
    let blocks = &config.styling.codeblocks;
    let known = |name: &'_ Option<String>| name.as_deref().is_some_and(is_theme);
    let light = blocks
        .light_theme
        .as_deref()
        .filter(|_| known(&blocks.light_theme));
    let dark = blocks
        .dark_theme
        .as_deref()
        .filter(|_| known(&blocks.dark_theme));
    let dark = dark.unwrap_or(Themes::DEFAULT.dark);
    let light = if blocks.always_dark {
        dark
    } else {
        light.unwrap_or(Themes::DEFAULT.light)
    };
    Themes { light, dark }
}

/// The colors of the built-in themes, for the style sheet bundle.
pub(crate) fn default_palette() -> String {
    Highlighter::new().palette_css(&Themes::DEFAULT, DARK)
}

/// The colors of code in books, which have a light background: empty if the theme is dark.
pub fn book_code_css(cx: &RenderContext<'_>) -> String {
    let themes = themes(cx.config);
    if cx.highlighter.is_dark(themes.light) == Some(true) {
        return String::new();
    }
    let css = cx.highlighter.palette_css(&themes, DARK);
    let rules = css.split_inclusive('}').map(str::trim_start);
    let light = rules.filter(|rule| rule.starts_with(".k") && !rule.contains("var("));
    // Programs that read books know few selectors.
    let only_light = format!(":root:not({DARK}) ");
    light
        .map(|rule| rule.replace(&only_light, "") + "\n")
        .collect()
}

/// The colors of a site with other themes and of blocks with their own theme; empty for the
/// built-in themes.
pub(crate) fn site_palette<'a>(
    config: &SiteConfig,
    highlighter: &Highlighter,
    own: impl Iterator<Item = &'a String>,
) -> String {
    let themes = themes(config);
    let mut css = String::new();
    let blocks = |prefix: &str| format!("{prefix} .svc-code,{prefix} .svc-code-group");
    if themes != Themes::DEFAULT {
        css.push_str(&highlighter.palette_css(&themes, DARK));
        css.push_str(&format!("{}{{{EDGE}}}", blocks(":root")));
    }
    // The frame of a block follows the block's theme and not the page.
    if config.styling.codeblocks.always_dark {
        css.push_str(&format!("{}{{--svc-code-bg:#121417}}", blocks(":root")));
    }
    if highlighter.is_dark(themes.light) == Some(true) {
        css.push_str(&format!("{}{{{FRAME_DARK}}}", blocks(":root")));
    }
    if highlighter.is_dark(themes.dark) == Some(false) {
        css.push_str(&format!("{}{{{FRAME_LIGHT}}}", blocks(DARK)));
    }
    for theme in own {
        let class = theme_class(theme);
        css.push_str(&highlighter.scoped_css(theme, &class));
        let frame = match highlighter.is_dark(theme) {
            Some(true) => FRAME_DARK,
            Some(false) => FRAME_LIGHT,
            None => continue,
        };
        css.push_str(&format!(":root .{class}{{{EDGE};{frame}}}"));
    }
    css
}

/// Selector of dark pages.
const DARK: &str = "html.dark";
/// Design tokens of a block with a dark theme.
const FRAME_DARK: &str = "--svc-text:#f1f3f6;--svc-text-soft:#b9c0cb;--svc-text-faint:#9aa2af;\
    --svc-border-strong:#4a515c;--svc-code-line:color-mix(in oklab,var(--svc-code-text) 12%,transparent);\
    --svc-success-text:#6ee7a0;--svc-success-bg:color-mix(in oklab,#6ee7a0 14%,transparent);\
    --svc-danger-text:#fda29b;--svc-danger-bg:color-mix(in oklab,#fda29b 16%,transparent);\
    --svc-warning-text:#f3c261;--svc-warning-bg:color-mix(in oklab,#f3c261 14%,transparent)";
/// Design tokens of a block with a light theme.
const FRAME_LIGHT: &str = "--svc-text:#15181d;--svc-text-soft:#4a515c;--svc-text-faint:#626a76;\
    --svc-border-strong:#b9c0cb;--svc-code-line:color-mix(in oklab,var(--svc-code-text) 9%,transparent);\
    --svc-success-text:#0b6b36;--svc-success-bg:color-mix(in oklab,#0b6b36 10%,transparent);\
    --svc-danger-text:#b42318;--svc-danger-bg:color-mix(in oklab,#b42318 9%,transparent);\
    --svc-warning-text:#92500a;--svc-warning-bg:color-mix(in oklab,#92500a 10%,transparent)";
/// Borders of a block on the background of its theme.
const EDGE: &str =
    "--svc-code-border:color-mix(in oklab,var(--svc-code-text) 16%,var(--svc-code-bg))";

fn class_name(lang: &str) -> String {
    lang.chars()
        .filter(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '+' | '#'))
        .collect()
}

/// Display name of a language, for tabs without a title.
pub(crate) fn language_name(lang: &str) -> String {
    let known = canonical_language(lang).unwrap_or(lang);
    let name = match known {
        "shellscript" => "Bash",
        "javascript" => "JavaScript",
        "typescript" => "TypeScript",
        "python" => "Python",
        "json" | "jsonc" => "JSON",
        "yaml" => "YAML",
        "toml" => "TOML",
        "http" => "HTTP",
        "html" => "HTML",
        "css" => "CSS",
        "sql" => "SQL",
        "php" => "PHP",
        "csharp" => "C#",
        "cpp" => "C++",
        "jsx" => "JSX",
        "tsx" => "TSX",
        "xml" => "XML",
        "graphql" => "GraphQL",
        "powershell" => "PowerShell",
        other => {
            let mut letters = other.chars();
            let first = letters
                .next()
                .map(|c| c.to_uppercase().to_string())
                .unwrap_or_default();
            return format!("{first}{}", letters.as_str());
        }
    };
    name.to_owned()
}
