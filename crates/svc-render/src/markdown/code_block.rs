//! Code blocks: a bar with the title and the copy button, and coloured lines.

use svc_config::SiteConfig;
use svc_diagnostics::Span;

use crate::article;
use crate::code::{
    FenceMeta, Highlighter, MarkKind, Themes, apply_notations, canonical_language, is_theme,
    parse_meta,
};
use crate::ctx::{Ctx, Frame};
use crate::html::Html;
use crate::icons;
use crate::ui::Panel;

/// A fence as it stands in the page.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Fence<'a> {
    /// First word after the fence.
    pub(crate) lang: Option<&'a str>,
    /// The rest of the line.
    pub(crate) meta: &'a str,
    /// The code.
    pub(crate) code: &'a str,
    /// Where it is.
    pub(crate) span: Span,
}

/// Code with everything that is known about how to show it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Code<'a> {
    /// Language as written.
    pub(crate) lang: Option<&'a str>,
    /// The code.
    pub(crate) code: &'a str,
    /// Title, icon, marked lines.
    pub(crate) meta: FenceMeta,
    /// Where it is.
    pub(crate) span: Span,
}

/// A fenced code block; inside a code group it becomes one of the panels.
pub(crate) fn code_block(cx: &mut Ctx<'_>, fence: &Fence<'_>) -> Html {
    let code = article::substitute(cx, fence.code).into_owned();
    if fence.lang == Some("mermaid") {
        return diagram(cx, &code);
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
            meta,
            span: fence.span,
        },
    )
}

/// Shows code where it stands, or hands it to the group around it.
pub(crate) fn show(cx: &mut Ctx<'_>, code: Code<'_>) -> Html {
    let grouped = matches!(cx.frame(), Some(Frame::Panels { code: true, .. }));
    if !grouped {
        return framed(cx, &code, true);
    }
    let title = code.meta.title.clone().unwrap_or_default();
    let icon = code.meta.icon.clone();
    let icon = icon.map(|name| icons::named(cx, &name, None, code.span));
    let language = code.lang.map(language_name).unwrap_or_default();
    let body = framed(cx, &code, false);
    if let Some(Frame::Panels { panels, .. }) = cx.frame() {
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

/// The block with its frame; without a bar where a group shows the titles.
fn framed(cx: &mut Ctx<'_>, code: &Code<'_>, with_bar: bool) -> Html {
    cx.uses.code = true;
    let meta = &code.meta;
    if let Some(title) = &meta.title {
        cx.say(title);
    }
    cx.say(code.code);
    let mut out = Html::new();
    let title = meta.title.as_deref().filter(|_| with_bar);
    let barred = title.is_some();
    let long = code.code.bytes().filter(|byte| *byte == b'\n').count() > 12;
    let folded = meta.expandable == Some(true) && long;
    out.lit("<div class=\"svc-code code-block\" data-svc-code");
    out.flag("data-lines", meta.lines == Some(true));
    out.flag("data-wrap", meta.wrap == Some(true));
    out.flag("data-bar", barred);
    out.flag("data-expandable", folded);
    out.flag("data-focused", !meta.focus.is_empty());
    out.lit(">");
    if let Some(title) = title {
        out.lit("<div class=\"svc-code-bar\">");
        if let Some(name) = meta.icon.clone() {
            let icon = icons::named(cx, &name, None, code.span);
            out.lit("<span class=\"svc-code-icon code-block-icon\">")
                .add(&icon)
                .lit("</span>");
        }
        out.lit("<span class=\"svc-code-title\">")
            .esc(title)
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
        out.attr("class", &format!("language-{}", class_word(lang)));
    }
    out.lit(">");
    lines(cx, code, &mut out);
    out.lit("</code></pre>");
    if folded {
        out.lit("<button type=\"button\" class=\"svc-code-more\" data-svc-more hidden")
            .attr("data-other", cx.texts.show_less)
            .lit("><span>")
            .esc(cx.texts.show_all)
            .lit("</span></button>");
    }
    out.lit("</div>\n");
    let _ = cx.spend(out.len());
    out
}

/// The copy button; scripts show it and the stylesheet draws it.
const COPY: &str = "<button type=\"button\" class=\"svc-code-copy code-block-copy-button\" \
    data-svc-copy hidden";

fn lines(cx: &mut Ctx<'_>, code: &Code<'_>, out: &mut Html) {
    let (text, marks) = apply_notations(code.code);
    let themes = themes(cx.site.config);
    let lang = code.meta.lang.as_deref().or(code.lang);
    let coloured = cx.site.highlighter.html(lang, &text, &themes);
    let mut next = marks.iter().peekable();
    for (at, line) in coloured.lines.into_iter().enumerate() {
        let number = at + 1;
        let mut add = false;
        let mut remove = false;
        let mut bright = code.meta.highlight.contains(number);
        let mut focus = code.meta.focus.contains(number);
        while let Some(mark) = next.next_if(|mark| mark.line <= number) {
            match mark.kind {
                MarkKind::Add => add = true,
                MarkKind::Remove => remove = true,
                MarkKind::Highlight => bright = true,
                MarkKind::Focus => focus = true,
            }
        }
        if at > 0 {
            out.lit("\n");
        }
        out.lit("<span class=\"line");
        for (set, class) in [
            (bright, " line-highlight"),
            (focus, " line-focus"),
            (add, " line-diff line-add"),
            (remove, " line-diff line-remove"),
        ] {
            if set {
                out.lit(class);
            }
        }
        out.lit("\">").add(&Html::trusted(line)).lit("</span>");
    }
}

/// The themes of a site; a name that is no theme means the built-in one.
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

/// The colours of the built-in themes, for the site's bundle.
pub(crate) fn default_palette() -> String {
    Highlighter::new().palette_css(&Themes::DEFAULT, DARK)
}

/// The colours of a site with other themes; nothing for the built-in ones.
pub(crate) fn site_palette(config: &SiteConfig, highlighter: &Highlighter) -> String {
    let themes = themes(config);
    let mut css = String::new();
    if themes != Themes::DEFAULT {
        css.push_str(&highlighter.palette_css(&themes, DARK));
    }
    if config.styling.codeblocks.always_dark {
        css.push_str(ALWAYS_DARK);
    }
    css
}

/// The selector of dark pages.
const DARK: &str = "html.dark";
/// The tokens of code on a dark page, for code blocks that are dark everywhere.
const ALWAYS_DARK: &str = ".svc-code,.svc-code-group{--svc-code-bg:#121417;\
    --svc-code-text:#dfe4ea;--svc-code-border:#262a31;--svc-text:#f1f3f6;\
    --svc-text-soft:#b9c0cb;--svc-text-faint:#8d95a3}";

/// The source of a diagram; a script may draw it.
fn diagram(cx: &mut Ctx<'_>, code: &str) -> Html {
    cx.uses.mermaid = true;
    cx.say(code);
    let mut out = Html::new();
    out.lit("<figure class=\"svc-diagram mermaid-figure\"><pre class=\"mermaid\" tabindex=\"0\">");
    out.esc(code).lit("</pre></figure>\n");
    out
}

fn class_word(lang: &str) -> String {
    lang.chars()
        .filter(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '+' | '#'))
        .collect()
}

/// How a language is called on a tab without title.
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
