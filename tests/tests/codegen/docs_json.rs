//! The reference of `docs.json` and its schema, from the tables of `svc-config`.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use svc_config::{OptionDoc, OptionGroup};

use super::{GENERATED, plain};

/// Version of the keys that name none: most keys are of the first one.
const FIRST_VERSION: &str = "0.1";

/// Returns the schema as a file.
pub(super) fn schema() -> String {
    format!("{:#}\n", svc_config::schema())
}

/// A page of the reference. Browsers lay out one with all keys slowly.
struct Page {
    file: &'static str,
    title: &'static str,
    sidebar: &'static str,
    description: &'static str,
}

/// The keys before `navigation`, `navigation` with the elements in it, and the keys after it.
static PAGES: [Page; 3] = [
    Page {
        file: "docs-json",
        title: "docs.json",
        sidebar: "Site and appearance",
        description: "Every key of docs.json with its type, default and rules: first, those of the site and its appearance.",
    },
    Page {
        file: "docs-json/navigation",
        title: "Navigation in docs.json",
        sidebar: "Navigation",
        description: "The key navigation of docs.json, and every key of the elements in it.",
    },
    Page {
        file: "docs-json/services",
        title: "APIs and services in docs.json",
        sidebar: "APIs and services",
        description: "The keys of docs.json for languages, API references, search, redirects, analytics and what else is on every page.",
    },
];

/// Index in [`PAGES`] of the page with the elements of the navigation.
const NAVIGATION: usize = 1;

/// Where each key of the first level and each part is described.
type Links = BTreeMap<String, String>;

/// Returns the pages with all keys, with their names.
pub(super) fn pages() -> Vec<(String, String)> {
    let (top, parts): (Vec<_>, Vec<_>) = svc_config::option_docs()
        .into_iter()
        .partition(|section| section.top);
    let before = top.iter().take_while(|key| key.title != "navigation");
    let (before, rest) = top.split_at(before.count());
    let (navigation, after) = rest.split_at(1);
    let keys = [before, navigation, after];
    let mut links = Links::new();
    for (page, sections) in PAGES.iter().zip(keys) {
        links.extend(sections.iter().map(|section| link(page, section)));
    }
    links.extend(
        parts
            .iter()
            .map(|section| link(&PAGES[NAVIGATION], section)),
    );
    let pages = PAGES.iter().zip(keys).enumerate();
    let pages = pages.map(|(at, (page, sections))| {
        let mut out = format!(
            "---\ntitle: {}\nsidebarTitle: {}\ndescription: \"{}\"\n---\n\n{GENERATED}",
            page.title, page.sidebar, page.description
        );
        match at {
            0 => introduction(&mut out, &keys, &links),
            NAVIGATION => out.push_str(
                "\nAn element of the navigation holds one kind of elements, in the list of that \
                 name, or pages, or a link. What all kinds have in common comes after the key.\n",
            ),
            _ => out
                .push_str("\nThe [first page](/reference/docs-json) says how to read the names.\n"),
        }
        for section in sections {
            top_key(&mut out, section, &links);
        }
        if at == NAVIGATION {
            out.push_str("\n## Parts\n\nWhat several keys hold.\n");
            for section in &parts {
                part(&mut out, section, &links);
            }
        }
        (format!("{}.mdx", page.file), out)
    });
    pages.collect()
}

fn link(page: &Page, section: &OptionGroup) -> (String, String) {
    let id = section.title.to_lowercase().replace(' ', "-");
    (
        section.title.clone(),
        format!("/reference/{}#{id}", page.file),
    )
}

/// Writes what is true of all keys, and where the keys of the other pages are.
fn introduction(out: &mut String, keys: &[&[OptionGroup]; 3], links: &Links) {
    // Writing to a String cannot fail.
    let _ = writeln!(
        out,
        "\nFour keys are required: `theme`, `name`, `colors` with `primary`, and `navigation`. \
         `[]` in a name stands for the entries of an array, `*` for names of your own. Unknown keys \
         are warnings, and any value may be `{{\"$ref\": \"./part.json\"}}`, read from that file. \
         An editor completes and explains the same keys once the file names its schema: see \
         [Completion in editors](/guides/configuration#completion-in-editors). A key that names no \
         version is there since {FIRST_VERSION}, the first one.\n"
    );
    for (page, sections) in PAGES.iter().zip(keys).skip(1) {
        let linked = |section: &OptionGroup| {
            let key = &section.title;
            format!("[`{key}`]({})", links[key])
        };
        let keys: Vec<String> = sections.iter().map(linked).collect();
        let _ = writeln!(
            out,
            "- [{}](/reference/{}): {}",
            page.sidebar,
            page.file,
            keys.join(", ")
        );
    }
}

fn part(out: &mut String, section: &OptionGroup, links: &Links) {
    let description = plain(&section.description);
    let _ = write!(out, "\n### {}\n\n{description}\n", section.title);
    fields(out, &section.keys, links);
}

fn top_key(out: &mut String, section: &OptionGroup, links: &Links) {
    let _ = write!(out, "\n## {}\n", section.title.replace('$', "\\$"));
    let Some((key, rest)) = section.keys.split_first() else {
        return;
    };
    field(out, key, &[], links);
    if let Some(example) = example(section) {
        let _ = write!(out, "\n```json docs.json\n{example}\n```\n");
    }
    fields(out, rest, links);
}

/// Writes keys, with all keys below one of them in its field, where a reader expands them.
fn fields(out: &mut String, mut keys: &[OptionDoc], links: &Links) {
    while let Some((key, rest)) = keys.split_first() {
        let is_below = |other: &&OptionDoc| {
            let below = other.path.strip_prefix(&key.path);
            below.is_some_and(|below| below.starts_with(['.', '[']))
        };
        let count = rest.iter().take_while(is_below).count();
        let (below, after) = rest.split_at(count);
        field(out, key, below, links);
        keys = after;
    }
}

/// Returns the example as members of the file, short ones on one line; `None` if there is none.
fn example(section: &OptionGroup) -> Option<String> {
    let value: serde_json::Value = serde_json::from_str(&section.example).ok()?;
    let line = format!("\"{}\": {}", section.title, section.example);
    if line.len() <= 72 {
        return Some(line);
    }
    Some(format!("\"{}\": {value:#}", section.title))
}

fn field(out: &mut String, key: &OptionDoc, below: &[OptionDoc], links: &Links) {
    let _ = write!(
        out,
        "\n<ResponseField name=\"{}\" type=\"{}\"",
        key.path, key.kind
    );
    if key.required {
        out.push_str(" required");
    }
    if !key.deprecated.is_empty() {
        out.push_str(" deprecated");
    }
    let default = serde_json::from_str::<serde_json::Value>(&key.default).ok();
    match &default {
        Some(serde_json::Value::String(value)) => {
            let _ = write!(out, " default=\"{value}\"");
        }
        Some(value) => {
            let _ = write!(out, " default=\"{value}\"");
        }
        None => {}
    }
    if key.since != FIRST_VERSION {
        let _ = write!(out, " post={{[\"since {}\"]}}", key.since);
    }
    out.push_str(">\n");
    let mut lines = Vec::new();
    if !key.description.is_empty() {
        lines.push(plain(&key.description));
    }
    if !key.values.is_empty() {
        let values: Vec<String> = key
            .values
            .iter()
            .map(|value| format!("`{value}`"))
            .collect();
        lines.push(format!("One of {}.", values.join(", ")));
    }
    if default.is_none() && !key.default.is_empty() {
        lines.push(format!("Default: {}.", plain(&key.default)));
    }
    if !key.rule.is_empty() {
        lines.push(plain(&key.rule));
    }
    if !key.deprecated.is_empty() {
        lines.push(plain(&key.deprecated));
    }
    if let Some(see) = &key.see {
        let link = links.get(see).expect("it is a key or a part");
        lines.push(format!("See [{see}]({link})."));
    }
    let _ = writeln!(out, "{}", lines.join(" "));
    if !below.is_empty() {
        let (count, noun) = (below.len(), if below.len() == 1 { "key" } else { "keys" });
        let _ = writeln!(out, "\n<Expandable title=\"{count} {noun}\">");
        for key in below {
            field(out, key, &[], links);
        }
        out.push_str("\n</Expandable>\n");
    }
    out.push_str("</ResponseField>\n");
}
