//! The background of pages: an image, and above it a decoration in the accent color.

use std::fmt::Write as _;

use svc_config::{Decoration, SiteConfig};

/// Soft light from above, from two sources.
const GRADIENT: &str = "height:46rem;background:radial-gradient(64rem 36rem at 80% -2rem,color-mix(in oklab,var(--svc-accent) 30%,transparent),transparent 72%),radial-gradient(48rem 30rem at 10% -3rem,color-mix(in oklab,var(--svc-accent-text) 19%,transparent),transparent 70%)";

/// A grid that fades out towards the bottom.
const GRID: &str = "height:52rem;background:linear-gradient(color-mix(in oklab,var(--svc-text) 11%,transparent) 1px,transparent 1px) 0 -1px/100% 2.5rem,linear-gradient(90deg,color-mix(in oklab,var(--svc-text) 11%,transparent) 1px,transparent 1px) -1px 0/2.5rem 100%;-webkit-mask:radial-gradient(75% 100% at 50% 0,#000,transparent);mask:radial-gradient(75% 100% at 50% 0,#000,transparent)";

/// Light through a window with two rows of four panes.
const PANE: &str = "linear-gradient(color-mix(in oklab,var(--svc-accent) 13%,transparent),color-mix(in oklab,var(--svc-accent) 5%,transparent))";
const WINDOWS: &str = "height:44rem;transform:skewY(-9deg);transform-origin:0 0;-webkit-mask:linear-gradient(#000 25%,transparent 96%);mask:linear-gradient(#000 25%,transparent 96%)";

/// The style rules of a background; empty without one.
pub(super) fn css(config: &SiteConfig, base_path: &str) -> String {
    let background = &config.background;
    let mut css = String::new();
    if let Some(image) = &background.image {
        let light = css_image(&image.light, base_path);
        // Writing to a String cannot fail.
        let _ = write!(
            css,
            "html::before{{content:\"\";position:fixed;inset:0;z-index:-2;pointer-events:none;background:{light} center top/cover no-repeat}}"
        );
        if image.dark != image.light {
            let dark = css_image(&image.dark, base_path);
            let _ = write!(css, "html.dark::before{{background-image:{dark}}}");
        }
    }
    if let Some(decoration) = background.decoration {
        let declarations = match decoration {
            Decoration::Gradient => GRADIENT.to_owned(),
            Decoration::Grid => GRID.to_owned(),
            Decoration::Windows => windows(),
        };
        let _ = write!(
            css,
            "html{{position:relative;overflow-x:clip}}html::after{{content:\"\";position:absolute;inset:0 0 auto;max-height:100%;z-index:-1;pointer-events:none;{declarations}}}"
        );
    }
    if !css.is_empty() {
        css.push_str(
            "@media print,(prefers-contrast:more){html::before,html::after{display:none}}",
        );
    }
    css
}

fn windows() -> String {
    let mut layers = Vec::new();
    for row in 0..2 {
        for column in 0..4 {
            let (x, y) = (3 + column * 32, row * 21 + 4);
            layers.push(format!("{PANE} {x}% {y}rem/21% 19rem no-repeat"));
        }
    }
    format!("background:{};{WINDOWS}", layers.join(","))
}

/// A `url("…")` with escaped contents.
fn css_image(path: &str, base_path: &str) -> String {
    let url = crate::url::resolve_url(base_path, path);
    format!("url(\"{}\")", crate::url::css_url(&url))
}

#[cfg(test)]
mod tests {
    use svc_diagnostics::SourceFile;

    use super::*;

    fn rules(background: &str) -> String {
        let text = format!(
            r##"{{"theme":"svc","name":"T","colors":{{"primary":"#123456"}},"navigation":{{"pages":["a"]}},"background":{background}}}"##
        );
        let config = svc_config::parse(&SourceFile::new("docs.json", text), &|_| None).value;
        css(&config.expect("it is an object"), "/docs")
    }

    #[test]
    fn every_decoration_is_behind_the_page() {
        let mut seen = Vec::new();
        for name in ["gradient", "grid", "windows"] {
            let css = rules(&format!(r#"{{"decoration":"{name}"}}"#));
            assert!(css.contains("html::after") && css.contains("z-index:-1"));
            assert!(css.contains("prefers-contrast:more"));
            assert!(!seen.contains(&css), "{name}");
            seen.push(css);
        }
        assert_eq!(rules("{}"), "");
    }

    #[test]
    fn images_of_both_modes_are_behind_the_page_and_escaped() {
        let css = rules(r#"{"image":{"light":"/a b.png","dark":"https://x.dev/d.png"}}"#);
        assert!(css.contains("url(\"/docs/a%20b.png\")"), "{css}");
        assert!(css.contains("html.dark::before{background-image:url(\"https://x.dev/d.png\")}"));
        let hostile = rules(r#"{"image":"/a\");}body{color:red"}"#);
        assert!(
            hostile.contains("url(\"/docs/a%22%29;%7Dbody%7Bcolor:red\")"),
            "{hostile}"
        );
        assert!(!hostile.contains("dark::before"));
    }
}
