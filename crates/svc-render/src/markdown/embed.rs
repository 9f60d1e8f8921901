//! Frames and videos: adds missing attributes for responsive size and accessible names.

use std::borrow::Cow;

use crate::article::tag::Props;
use crate::ctx::marks::WITHOUT_TITLE;
use crate::ctx::{Ctx, ParentContext};
use crate::html::Html;

/// A video or embed provider.
struct Provider {
    /// Name, for frames without a title.
    name: &'static str,
    /// Hosts of the provider, without `www.`.
    hosts: &'static [&'static str],
}

const PROVIDERS: &[Provider] = &[
    Provider {
        name: "YouTube",
        hosts: &[
            "youtube.com",
            "m.youtube.com",
            "youtube-nocookie.com",
            "youtu.be",
        ],
    },
    Provider {
        name: "Loom",
        hosts: &["loom.com"],
    },
    Provider {
        name: "Vimeo",
        hosts: &["vimeo.com", "player.vimeo.com"],
    },
    Provider {
        name: "Wistia",
        hosts: &["fast.wistia.net", "fast.wistia.com"],
    },
];

/// Splits a URL into the host without `www.` and the rest.
fn parts(url: &str) -> Option<(&str, &str)> {
    let rest = url
        .strip_prefix("https://")
        .or_else(|| url.strip_prefix("http://"))
        .or_else(|| url.strip_prefix("//"))?;
    let (host, path) = rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()));
    Some((host.strip_prefix("www.").unwrap_or(host), path))
}

fn provider(url: &str) -> Option<&'static Provider> {
    let (host, _) = parts(url)?;
    PROVIDERS
        .iter()
        .find(|provider| provider.hosts.contains(&host))
}

/// Converts the URL of a watch page to the embed URL of its provider, because watch pages cannot be
/// framed.
pub(super) fn embed_url(url: &str) -> Cow<'_, str> {
    let Some((host, path)) = parts(url.trim()) else {
        return Cow::Borrowed(url);
    };
    let id = |text: &str| {
        let end = text.find(['?', '&', '#', '/']).unwrap_or(text.len());
        let (id, rest) = text.split_at(end);
        let sound = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
        (!id.is_empty() && id.bytes().all(sound)).then(|| (id.to_owned(), rest.to_owned()))
    };
    let embed = match host {
        "youtube.com" | "m.youtube.com" => {
            let video = path.split_once("/watch?").and_then(|(_, query)| {
                let video = query
                    .split(['&', '#'])
                    .find_map(|part| part.strip_prefix("v="))?;
                id(video)
            });
            let video = video.or_else(|| id(path.strip_prefix("/shorts/")?));
            video.map(|(id, _)| format!("https://www.youtube.com/embed/{id}"))
        }
        "youtu.be" => id(path.trim_start_matches('/'))
            .map(|(id, _)| format!("https://www.youtube.com/embed/{id}")),
        "loom.com" => path
            .strip_prefix("/share/")
            .and_then(id)
            .map(|(id, rest)| format!("https://www.loom.com/embed/{id}{rest}")),
        "vimeo.com" => id(path.trim_start_matches('/'))
            .filter(|(id, _)| id.bytes().all(|byte| byte.is_ascii_digit()))
            .map(|(id, _)| format!("https://player.vimeo.com/video/{id}")),
        _ => None,
    };
    embed.map_or(Cow::Borrowed(url), Cow::Owned)
}

/// Features that a frame may request.
const FEATURES: &[&str] = &[
    "accelerometer",
    "autoplay",
    "clipboard-write",
    "encrypted-media",
    "fullscreen",
    "gyroscope",
    "picture-in-picture",
    "web-share",
];

/// Sandbox flags that a frame may have: none that navigates the page without user activation.
const SANDBOX: &[&str] = &[
    "allow-downloads",
    "allow-forms",
    "allow-modals",
    "allow-orientation-lock",
    "allow-pointer-lock",
    "allow-popups",
    "allow-popups-to-escape-sandbox",
    "allow-presentation",
    "allow-same-origin",
    "allow-scripts",
    "allow-storage-access-by-user-activation",
    "allow-top-navigation-by-user-activation",
];

/// The allowed part of an `allow` or `sandbox` value, and the part that was removed. A feature is
/// allowed for the framed page, but not for frames inside of it.
pub(super) fn permissions(attribute: &str, value: &str) -> (String, String) {
    let allow = attribute == "allow";
    let items: Vec<String> = value
        .split(|c: char| if allow { c == ';' } else { c.is_whitespace() })
        .filter_map(|part| part.split_whitespace().next())
        .map(str::to_ascii_lowercase)
        .collect();
    let known = if allow { FEATURES } else { SANDBOX };
    let (allowed, removed): (Vec<_>, Vec<_>) =
        items.into_iter().partition(|item| known.contains(&&**item));
    let between = if allow { "; " } else { " " };
    (allowed.join(between), removed.join(between))
}

/// Adds attributes that a frame lacks.
pub(super) fn frame(cx: &Ctx<'_>, props: &Props, out: &mut Html) {
    let lacks = |names: &[&str]| names.iter().all(|name| props.get(name).is_none());
    let known = props.text("src").and_then(|src| provider(src.trim()));
    if lacks(&["loading"]) {
        out.lit(" loading=\"lazy\"");
    }
    if lacks(&["title", "aria-label"]) {
        out.attr(
            "title",
            known.map_or(cx.texts.embedded, |provider| provider.name),
        )
        .flag(WITHOUT_TITLE, cx.marks.is_some());
    }
    if known.is_some() {
        if lacks(&["allowFullScreen", "allowfullscreen"]) {
            out.lit(" allowfullscreen");
        }
        // Players reject pages that send no referrer.
        if lacks(&["referrerPolicy", "referrerpolicy"]) {
            out.lit(" referrerpolicy=\"strict-origin-when-cross-origin\"");
        }
    }
    if !lacks(&["style", "className", "class"]) {
        return;
    }
    let size = |name: &str| match props.get(name) {
        Some(crate::evaluate::Value::String(text)) if text.contains('%') => None,
        _ => props
            .number(name)
            .filter(|size| (1.0..=10_000.0).contains(size)),
    };
    match (size("width"), size("height")) {
        (Some(width), Some(height)) => {
            out.attr(
                "style",
                &format!("aspect-ratio:{width}/{height};height:auto"),
            );
        }
        (None, None) if known.is_some() && lacks(&["height"]) => {
            out.lit(" style=\"aspect-ratio:16/9;width:100%\"");
        }
        _ => {}
    }
}

/// Adds attributes that a video lacks. In a `Frame`, an autoplaying video is like an animated
/// image: muted, inline and looped.
pub(super) fn video(cx: &Ctx<'_>, props: &Props, out: &mut Html) {
    let has = |names: &[&str]| names.iter().any(|name| props.get(name).is_some());
    let starts = props.flag("autoPlay") || props.flag("autoplay");
    if starts
        && cx
            .frames
            .is_inside(|frame| matches!(frame, ParentContext::Frame))
    {
        out.flag("playsinline", !has(&["playsInline", "playsinline"]))
            .flag("loop", !has(&["loop"]))
            .flag("muted", !has(&["muted"]));
    } else if !starts && !has(&["preload"]) {
        out.lit(" preload=\"metadata\"");
    }
}

#[cfg(test)]
mod tests {
    use super::embed_url;
    use crate::testing::page;

    #[test]
    fn watch_urls_become_embed_urls() {
        for (written, shown) in [
            (
                "https://www.youtube.com/watch?v=a-B_1&t=3",
                "https://www.youtube.com/embed/a-B_1",
            ),
            (
                "https://youtu.be/a-B_1?si=x",
                "https://www.youtube.com/embed/a-B_1",
            ),
            (
                "https://www.youtube.com/shorts/abc",
                "https://www.youtube.com/embed/abc",
            ),
            (
                "https://www.loom.com/share/abc?sid=1",
                "https://www.loom.com/embed/abc?sid=1",
            ),
            (
                "https://vimeo.com/123456",
                "https://player.vimeo.com/video/123456",
            ),
            ("https://vimeo.com/about", "https://vimeo.com/about"),
            (
                "https://www.youtube.com/embed/abc",
                "https://www.youtube.com/embed/abc",
            ),
            (
                "https://www.youtube.com/watch?v=\"><b",
                "https://www.youtube.com/watch?v=\"><b",
            ),
            (
                "https://example.com/watch?v=a",
                "https://example.com/watch?v=a",
            ),
        ] {
            assert_eq!(embed_url(written), shown);
        }
    }

    #[test]
    fn a_frame_has_a_title_an_aspect_ratio_and_lazy_loading() {
        let html = page("<iframe src=\"https://www.youtube.com/embed/x\" width=\"560\" height=\"315\" frameBorder=\"0\" />").html;
        for part in [
            "loading=\"lazy\"",
            "title=\"YouTube\"",
            " allowfullscreen",
            "referrerpolicy=\"strict-origin-when-cross-origin\"",
            "style=\"aspect-ratio:560/315;height:auto\"",
        ] {
            assert!(html.contains(part), "{part}: {html}");
        }
        let html = page("<iframe src=\"https://x.test/a\" title=\"Mine\" width=\"100%\" height=\"400\" className=\"w-full\" />").html;
        assert!(
            html.contains("title=\"Mine\"") && html.contains("height=\"400\""),
            "{html}"
        );
        assert!(
            !html.contains("aspect-ratio") && !html.contains("allowfullscreen"),
            "{html}"
        );
        let html = page("<iframe src=\"https://x.test/a\" />").html;
        assert!(html.contains("title=\"Embedded content\""), "{html}");
        let html = page("<iframe src=\"https://www.loom.com/share/abc\" />").html;
        assert!(
            html.contains("src=\"https://www.loom.com/embed/abc\""),
            "{html}"
        );
        assert!(html.contains("aspect-ratio:16/9"), "{html}");
    }

    #[test]
    fn unsafe_frame_urls_are_removed() {
        for url in [
            "javascript:alert(1)",
            "data:image/svg+xml,<svg>",
            "Data:text/html,x",
        ] {
            let rendered = page(&format!("<iframe src={{'{url}'}} />"));
            assert!(!rendered.html.contains(" src="), "{}", rendered.html);
            assert_eq!(rendered.codes(), ["unsafe-url"]);
        }
    }

    #[test]
    fn a_frame_gets_only_harmless_permissions() {
        let rendered = page(
            "<iframe src=\"https://x.test\" allow=\"camera *; fullscreen *; microphone\" sandbox=\"allow-scripts allow-top-navigation\" />",
        );
        assert!(
            rendered.html.contains(" allow=\"fullscreen\""),
            "{}",
            rendered.html
        );
        assert!(
            rendered.html.contains(" sandbox=\"allow-scripts\""),
            "{}",
            rendered.html
        );
        assert_eq!(rendered.codes(), ["html-attribute-blocked"; 2]);
        let rendered = page("<iframe src=\"https://x.test\" sandbox=\"\" />");
        assert!(rendered.html.contains(" sandbox=\"\""), "{}", rendered.html);
    }

    #[test]
    fn names_and_ids_cannot_clobber_the_document() {
        let page = page(
            "<img name=\"querySelectorAll\" src=\"https://x.test/x.png\" />\n\n<form name=\"body\" id=\"svcImport\"><input name=\"q\" id=\"svc\" /></form>\n",
        );
        assert!(
            !page.html.contains("querySelectorAll") && !page.html.contains("name=\"body\""),
            "{}",
            page.html
        );
        assert!(!page.html.contains("svcImport"), "{}", page.html);
        assert!(
            page.html.contains("name=\"q\"") && page.html.contains("id=\"svc\""),
            "{}",
            page.html
        );
        assert_eq!(page.codes(), ["html-attribute-blocked"; 3]);
    }

    #[test]
    fn an_autoplaying_video_in_a_frame_is_muted() {
        let html = page("<Frame>\n<video autoPlay src=\"https://x.test/a.mp4\" />\n</Frame>").html;
        assert!(html.contains(" playsinline loop muted"), "{html}");
        let html = page("<video controls src=\"https://x.test/a.mp4\"></video>").html;
        assert!(
            html.contains("preload=\"metadata\"") && !html.contains("muted"),
            "{html}"
        );
    }
}
