//! Tests of the generated CSS.

#![expect(clippy::print_stdout, reason = "measured tests print their figures")]

use std::path::Path;

use super::{Brand, css, is_known, rule, sheet};

/// Selector and declarations of one name.
fn one(name: &str) -> String {
    let brand = Brand::default();
    rule(name, &brand).map_or_else(String::new, |(_, _, rule)| {
        let inner = format!("{}{{{}}}", rule.selector, rule.body);
        if rule.media.is_empty() {
            inner
        } else {
            format!("@media {}{{{inner}}}", rule.media)
        }
    })
}

fn declarations(name: &str) -> String {
    rule(name, &Brand::default()).map_or_else(String::new, |(_, _, rule)| rule.body)
}

#[test]
fn utilities_set_their_declarations() {
    for (name, want) in [
        ("block", "display:block"),
        ("hidden", "display:none"),
        ("aspect-video", "aspect-ratio:16/9"),
        ("aspect-[4/3]", "aspect-ratio:4/3"),
        ("rounded-xl", "border-radius:0.75rem"),
        ("rounded", "border-radius:0.25rem"),
        ("rounded-tl-lg", "border-top-left-radius:0.5rem"),
        (
            "rounded-t-md",
            "border-top-left-radius:0.375rem;border-top-right-radius:0.375rem",
        ),
        ("mt-4", "margin-top:1rem"),
        ("-mt-4", "margin-top:-1rem"),
        ("mx-auto", "margin-inline:auto"),
        ("p-0.5", "padding:0.125rem"),
        ("-p-1", ""),
        ("px-3.5", "padding-inline:0.875rem"),
        ("w-full", "width:100%"),
        ("w-1/2", "width:50%"),
        ("w-[37px]", "width:37px"),
        ("w-screen", "width:100vw"),
        ("min-h-screen", "min-height:100vh"),
        ("max-w-3xl", "max-width:48rem"),
        ("size-3", "width:0.75rem;height:0.75rem"),
        ("-top-14", "top:-3.5rem"),
        ("left-1/2", "left:50%"),
        (
            "-translate-x-1/2",
            "--u-tx:-50%;translate:var(--u-tx,0) var(--u-ty,0)",
        ),
        ("z-10", "z-index:10"),
        ("flex-1", "flex:1 1 0%"),
        ("grow", "flex-grow:1"),
        (
            "grid-cols-2",
            "grid-template-columns:repeat(2,minmax(0,1fr))",
        ),
        ("grid-cols-[1fr_2fr]", "grid-template-columns:1fr 2fr"),
        ("col-span-2", "grid-column:span 2/span 2"),
        ("gap-x-6", "column-gap:1.5rem"),
        ("text-sm", "font-size:0.875rem;line-height:1.25rem"),
        ("text-sm/6", "font-size:0.875rem;line-height:1.5rem"),
        ("text-[13px]", "font-size:13px"),
        ("text-[#123456]", "color:#123456"),
        ("text-gray-900", "color:#111827"),
        ("text-zinc-950/80", "color:rgb(9 9 11/80%)"),
        ("text-primary", "color:var(--svc-accent)"),
        ("text-center", "text-align:center"),
        ("font-medium", "font-weight:500"),
        ("font-mono", "font-family:var(--svc-font-code)"),
        ("tracking-tight", "letter-spacing:-0.025em"),
        ("leading-6", "line-height:1.5rem"),
        ("leading-tight", "line-height:1.25"),
        ("bg-transparent", "background-color:transparent"),
        (
            "bg-gradient-to-r",
            "background-image:linear-gradient(to right,var(--u-stops))",
        ),
        ("border", "border-width:1px"),
        ("border-2", "border-width:2px"),
        ("border-b", "border-bottom-width:1px"),
        ("border-dashed", "border-style:dashed"),
        ("border-t-transparent", "border-top-color:transparent"),
        ("border-zinc-950/20", "border-color:rgb(9 9 11/20%)"),
        ("opacity-80", "opacity:0.8"),
        (
            "scale-105",
            "--u-sx:1.05;--u-sy:1.05;scale:var(--u-sx,1) var(--u-sy,1)",
        ),
        ("rotate-45", "rotate:45deg"),
        ("-rotate-45", "rotate:-45deg"),
        ("duration-200", "transition-duration:200ms"),
        ("!mt-2", "margin-top:0.5rem!important"),
        ("size-2!", "width:0.5rem!important;height:0.5rem!important"),
        (
            "line-clamp-2",
            "display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:2;overflow:hidden",
        ),
        ("card", ""),
        ("tsd-panel", ""),
        ("w-", ""),
        ("text-", ""),
        ("-", ""),
        ("group", ""),
    ] {
        assert_eq!(declarations(name), want, "{name}");
    }
}

#[test]
fn variants_add_conditions_and_selectors() {
    for (name, want) in [
        (
            "dark:hidden",
            ":where(html.dark) .mdx-content .dark\\:hidden{display:none}",
        ),
        (
            "sm:flex",
            "@media (min-width:40rem){.mdx-content .sm\\:flex{display:flex}}",
        ),
        (
            "max-md:flex",
            "@media not (min-width:48rem){.mdx-content .max-md\\:flex{display:flex}}",
        ),
        (
            "hover:underline",
            ".mdx-content .hover\\:underline:hover{text-decoration-line:underline}",
        ),
        (
            "dark:hover:border-black",
            ":where(html.dark) .mdx-content .dark\\:hover\\:border-black:hover{border-color:#000000}",
        ),
        (
            "group-hover:underline",
            ".mdx-content :where(.group:hover) .group-hover\\:underline{text-decoration-line:underline}",
        ),
        (
            "group-hover/a:underline",
            ".mdx-content :where(.group\\/a:hover) .group-hover\\/a\\:underline{text-decoration-line:underline}",
        ),
        (
            "first:mt-0",
            ".mdx-content .first\\:mt-0:first-child{margin-top:0rem}",
        ),
        (
            "hover:before:block",
            ".mdx-content .hover\\:before\\:block:hover::before{content:\"\";display:block}",
        ),
        (
            "[&>p]:m-1",
            ".mdx-content .\\[\\&\\>p\\]\\:m-1>p{margin:0.25rem}",
        ),
        (
            "[&_a:hover]:m-1",
            ".mdx-content .\\[\\&_a\\:hover\\]\\:m-1 a:hover{margin:0.25rem}",
        ),
        (
            "space-y-4",
            ".mdx-content .space-y-4>*+*{margin-block:1rem 0}",
        ),
        ("unknown:flex", ""),
    ] {
        assert_eq!(one(name), want, "{name}");
    }
}

#[test]
fn names_cannot_break_out_of_their_rule() {
    for name in [
        "w-[1px;color:red]",
        "w-[1px}body{display:none]",
        "bg-[url(https://a.b/c)]",
        "bg-[url('https://a.b/c')]",
        "content-['</style><script>']",
        "[&,body]:hidden",
        "[body]:hidden",
        "[&{}]:hidden",
        "[&:has(]:hidden",
        "min-[1px){}]:hidden",
        "hidden</style>",
        "group-hover/<x:hidden",
        "w-[calc(1px]",
        "w-[expression(1)]",
        "text-[\\65]",
    ] {
        assert_eq!(one(name), "", "{name}");
    }
    // Special characters are escaped.
    let escaped = one("group-hover/{}*:hidden");
    assert!(escaped.contains("\\{\\}\\*"), "{escaped}");
    let deep = format!("w-{}1px{}", "[".repeat(70), "]".repeat(70));
    assert_eq!(one(&deep), "");
    assert_eq!(one(&format!("w-[{}px]", "1".repeat(500))), "");
}

#[test]
fn the_size_of_a_style_sheet_is_bounded() {
    let names: Vec<String> = (0..50_000).map(|at| format!("w-[{at}px]")).collect();
    let html = format!("<p class=\"{}\">", names.join(" "));
    let sheet = css(&html, "", &config());
    assert_eq!(sheet.matches("{width:").count(), super::MAX_NAMES);
}

#[test]
fn rules_are_in_cascade_order() {
    let names = [
        "dark:block",
        "md:hidden",
        "mt-1",
        "m-2",
        "hover:mt-3",
        "hidden",
        "flex",
        "space-y-2",
        "lg:hidden",
    ];
    let sheet = sheet(names.into_iter(), &Brand::default());
    let at = |part: &str| {
        sheet
            .find(part)
            .unwrap_or_else(|| panic!("{part} in {sheet}"))
    };
    let order = [
        at(".space-y-2"),
        at(".m-2"),
        at(".mt-1"),
        at(".flex"),
        at(".hidden"),
        at(".hover"),
        at(".md\\:hidden"),
        at(".lg\\:hidden"),
        at(".dark\\:block"),
    ];
    assert!(order.is_sorted(), "{sheet}");
    let mut other = names;
    other.reverse();
    assert_eq!(super::sheet(other.into_iter(), &Brand::default()), sheet);
}

#[test]
fn rules_apply_only_in_the_article() {
    let names = [
        "flex",
        "dark:flex",
        "md:first:flex",
        "peer-checked:flex",
        "space-x-1",
    ];
    for name in names {
        assert!(one(name).contains(".mdx-content "), "{name}");
    }
}

#[test]
fn a_page_without_utilities_has_no_style_sheet() {
    assert_eq!(css("<p class=\"card svc-card\">", "", &config()), "");
}

fn config() -> svc_config::SiteConfig {
    let text = r##"{"theme":"svc","name":"T","colors":{"primary":"#112233"},"navigation":{"pages":["a"]}}"##;
    let tree = svc_source::SourceTree::from_files([("docs.json".to_owned(), text.to_owned())]);
    let file = tree.text("docs.json").expect("it was added").clone();
    svc_config::parse(&file, &|_| None)
        .value
        .expect("it is an object")
}

#[test]
fn built_in_class_names_are_not_utilities() {
    let mut sheets = crate::themes::BASE_CSS.concat();
    sheets.push_str(&crate::ui::CSS.concat());
    sheets.push_str(&crate::api::CSS.concat());
    for component in crate::components::ALL {
        sheets.push_str(component.css);
    }
    let mut count = 0;
    for part in sheets.split('.').skip(1) {
        let end = part.find(|c: char| !c.is_ascii_alphanumeric() && c != '-');
        let name = &part[..end.unwrap_or(part.len())];
        if name.starts_with(|c: char| c.is_ascii_lowercase()) {
            count += 1;
            assert!(declarations(name).is_empty(), "{name}");
        }
    }
    assert!(count > 100);
}

/// Class names of other tools in the tested sites, which are not Tailwind utilities either.
fn is_foreign(name: &str) -> bool {
    ["tsd-", "hl-"].iter().any(|start| name.starts_with(start))
        || [
            "type",
            "json",
            "deprecated",
            "landing-hero",
            "eyebrow",
            "my-callout",
            "version-badge",
            "injected-message",
        ]
        .contains(&name)
        || name.contains('$')
}

fn walk(dir: &Path, depth: usize, out: &mut Vec<String>) {
    let Ok(entries) = std::fs::read_dir(dir) else {
        return;
    };
    let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        let hidden = path
            .file_name()
            .is_some_and(|name| name.to_string_lossy().starts_with('.'));
        if hidden || depth > 20 {
            continue;
        }
        if path.is_dir() {
            walk(&path, depth + 1, out);
        } else if path
            .extension()
            .is_some_and(|end| end == "mdx" || end == "jsx")
        {
            let text = std::fs::read_to_string(&path).unwrap_or_default();
            for start in ["className=\"", "class=\"", "className={`", "className='"] {
                for part in text.split(start).skip(1) {
                    let value = part.split(['"', '`', '\'', '\n']).next().unwrap_or("");
                    out.extend(value.split_ascii_whitespace().map(str::to_owned));
                }
            }
        }
    }
}

#[test]
fn utilities_of_real_sites_are_supported() {
    let Some(root) = svc_test_support::reference_path("corpus/sites") else {
        return;
    };
    let mut names = Vec::new();
    for site in ["mcp", "fastmcp", "trigger", "polar", "mintlify"] {
        walk(&root.join(site), 0, &mut names);
    }
    names.retain(|name| !is_foreign(name));
    let unknown: Vec<&String> = names.iter().filter(|name| !is_known(name)).collect();
    let known = names.len() - unknown.len();
    let mut rest: Vec<&str> = unknown.iter().map(|name| name.as_str()).collect();
    rest.sort_unstable();
    rest.dedup();
    println!("{known} of {} uses; not known: {rest:?}", names.len());
    assert!(known * 100 >= names.len() * 98, "{rest:?}");
}
