//! Meta elements of the site, the directory and the page, and derived ones.

use indexmap::IndexMap;
use svc_source::FrontMatter;

use crate::chrome::{Page, View};

/// Width and height of preview images in pixels.
pub(crate) const OG_IMAGE_SIZE: (&str, &str) = ("1200", "630");

/// Names whose content is a URL.
const URL_NAMES: &[&str] = &[
    "og:audio",
    "og:image",
    "og:image:secure_url",
    "og:image:url",
    "og:url",
    "og:video",
    "twitter:image",
    "twitter:image:src",
];

/// Prefixes of front matter keys that are meta elements.
const FAMILIES: &[&str] = &["og:", "twitter:", "article:", "fb:"];

type Metas = IndexMap<String, String>;

/// Names and contents without duplicates: those of the page first, then those of the nearest
/// directory, of its ancestors and of the site, then derived ones.
pub(super) fn collect(view: &View<'_>, page: &Page<'_>) -> Metas {
    let mut metas = Metas::new();
    if let Some(matter) = page.front_matter {
        page_metas(matter, &mut metas);
    }
    for (name, content) in &mut metas {
        if URL_NAMES.contains(&name.as_str()) && is_path(content) {
            *content = view.below_root(content);
        }
    }
    if view.route.noindex {
        insert_missing(&mut metas, "robots", "noindex");
    }
    for (name, content) in site_metas(view) {
        insert_missing(&mut metas, name, content);
    }
    derive_metas(view, page, &mut metas);
    for (name, content) in &mut metas {
        if URL_NAMES.contains(&name.as_str()) && is_path(content) {
            *content = view.public_url_or_path(content);
        }
    }
    metas
}

fn is_path(text: &str) -> bool {
    text.starts_with('/') && !text.starts_with("//")
}

fn insert_missing(metas: &mut Metas, name: &str, content: &str) {
    if !content.trim().is_empty() && !metas.contains_key(name) {
        metas.insert(name.to_owned(), content.to_owned());
    }
}

/// Meta elements of the front matter.
fn page_metas(matter: &FrontMatter, metas: &mut Metas) {
    if !matter.keywords.is_empty() {
        metas.insert("keywords".to_owned(), matter.keywords.join(", "));
    }
    if let Some(robots) = &matter.robots {
        insert_missing(metas, "robots", robots);
    }
    let Some(fields) = matter.raw.as_object() else {
        return;
    };
    for (name, value) in fields.iter() {
        if FAMILIES.iter().any(|family| name.starts_with(family))
            && let Some(text) = value.to_text()
        {
            insert_missing(metas, name, &text);
        }
    }
}

/// Meta elements of the directories that contain the page, nearest first, then those of the site.
fn site_metas<'a>(view: &View<'a>) -> impl Iterator<Item = (&'a str, &'a str)> {
    let seo = &view.config().seo;
    let path = view.route.path.trim_start_matches('/');
    let is_in = |dir: &str| {
        path.strip_prefix(dir)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    let mut dirs: Vec<_> = seo.paths.iter().filter(|dir| is_in(&dir.path)).collect();
    dirs.sort_by_key(|dir| std::cmp::Reverse(dir.path.len()));
    dirs.into_iter()
        .flat_map(|dir| &dir.metatags)
        .chain(&seo.metatags)
        // `canonical` is the base of canonical URLs, not a meta element.
        .filter(|(name, _)| name != "canonical")
        .map(|(name, content)| (&**name, &**content))
}

/// Derives missing elements from the page and the configuration.
fn derive_metas(view: &View<'_>, page: &Page<'_>, metas: &mut Metas) {
    let config = view.config();
    let site_description = config.description.as_deref().unwrap_or_default();
    match page.description {
        // The description of a page takes precedence over those of directory and site.
        Some(own) if !own.trim().is_empty() => {
            metas.insert("description".to_owned(), own.to_owned());
        }
        _ => insert_missing(metas, "description", site_description),
    }
    let description = metas.get("description").cloned().unwrap_or_default();
    insert_missing(metas, "og:title", page.title);
    insert_missing(metas, "og:site_name", &config.name);
    insert_missing(metas, "og:type", "website");
    insert_missing(metas, "og:description", &description);
    if let Some(url) = view.canonical_url(page) {
        insert_missing(metas, "og:url", &url);
    }
    let twitter_image = metas
        .get("twitter:image")
        .map(|image| ("og:image", image.clone()));
    if let Some((name, image)) = twitter_image {
        insert_missing(metas, name, &image);
    }
    if let Some(card) = og_image(view, page)
        && !metas.contains_key("og:image")
    {
        metas.insert("og:image".to_owned(), card);
        insert_missing(metas, "og:image:width", OG_IMAGE_SIZE.0);
        insert_missing(metas, "og:image:height", OG_IMAGE_SIZE.1);
        insert_missing(metas, "og:image:alt", page.title);
    }
    insert_missing(metas, "twitter:card", "summary_large_image");
    for name in ["title", "description", "image"] {
        if let Some(content) = metas.get(&format!("og:{name}")).cloned() {
            insert_missing(metas, &format!("twitter:{name}"), &content);
        }
    }
    if let Some(date) = view.last_modified() {
        insert_missing(metas, "article:modified_time", &date);
    }
}

/// The URL of the page's preview image.
fn og_image(view: &View<'_>, page: &Page<'_>) -> Option<String> {
    let dir = view.cx.options.metadata.og_image_dir.as_ref()?;
    if !page.is_route {
        return None;
    }
    let name = crate::og_image::file_name(&view.route.path);
    let section = crate::og_image::section(view.cx.site_map, view.route).unwrap_or_default();
    let description = page.description.unwrap_or_default();
    let version = crate::og_image::fingerprint(&[&view.route.title, description, &section]);
    let path = format!("{dir}{name}?v={version}");
    Some(view.public_url(&path).unwrap_or_else(|| view.href(&path)))
}
