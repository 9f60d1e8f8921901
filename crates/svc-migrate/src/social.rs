//! Links to profiles on other sites.

use serde_json::{Map, Value, json};

/// Links by their place on the new site.
#[derive(Debug, Default)]
pub(crate) struct SocialLinks {
    /// Links of the header: repositories on GitHub.
    navbar: Vec<Value>,
    /// `footer.socials` of docs.json.
    footer: Map<String, Value>,
    /// URLs that docs.json has no key for.
    pub(crate) other: Vec<String>,
}

/// Sorts links with the names of their icons: GitHub goes to the header, the others to the footer.
pub(crate) fn sort(links: impl IntoIterator<Item = (String, String)>) -> SocialLinks {
    let mut out = SocialLinks::default();
    for (icon, href) in links {
        let key = match icon.as_str() {
            "github" => {
                out.navbar.push(json!({ "type": "github", "href": href }));
                continue;
            }
            "twitter" | "x.com" => "x",
            "x" | "discord" | "slack" | "youtube" | "linkedin" | "facebook" | "instagram"
            | "telegram" | "reddit" | "bluesky" => icon.as_str(),
            "blueSky" => "bluesky",
            _ => {
                out.other.push(href);
                continue;
            }
        };
        out.footer.insert(key.to_owned(), json!(href));
    }
    out
}

impl SocialLinks {
    /// Adds `navbar` and `footer` to the settings; `links` come first in the header.
    pub(crate) fn insert(self, config: &mut Map<String, Value>, links: Vec<Value>) {
        let links: Vec<Value> = links.into_iter().chain(self.navbar).collect();
        if !links.is_empty() {
            config.insert("navbar".to_owned(), json!({ "links": links }));
        }
        if !self.footer.is_empty() {
            config.insert("footer".to_owned(), json!({ "socials": self.footer }));
        }
    }
}
