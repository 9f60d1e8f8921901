//! Links and social networks below the text.

use askama::Template;
use svc_config::{Footer, Icon};

use super::View;
use crate::html::Html;
use crate::i18n::Messages;

#[derive(Template)]
#[template(path = "chrome/footer/footer.html")]
struct FooterView<'a> {
    view: &'a View<'a>,
    texts: &'static Messages,
    columns: Vec<ColumnView<'a>>,
    socials: Vec<SocialView>,
    /// Button for the settings of consent; empty on pages without services.
    privacy: Html,
}

struct ColumnView<'a> {
    header: Option<&'a str>,
    items: Vec<(&'a str, String)>,
}

struct SocialView {
    href: String,
    label: String,
    icon: Html,
}

pub(super) fn render(view: &View<'_>, footer: &Footer, privacy: Html) -> Html {
    let columns = footer.links.iter().map(|column| ColumnView {
        header: column.header.as_deref(),
        items: column
            .items
            .iter()
            .filter(|item| !view.cx.site_map.withheld.has_page(&item.href))
            .map(|item| (item.label.as_str(), view.href(&item.href)))
            .collect(),
    });
    let socials = footer.socials.iter().map(|(network, href)| SocialView {
        href: view.href(href),
        label: network.clone(),
        icon: view.icon(Some(&network_icon(network))),
    });
    let footer = FooterView {
        view,
        texts: view.texts(),
        columns: columns.collect(),
        socials: socials.collect(),
        privacy,
    };
    Html::trusted(footer.render().unwrap_or_default())
}

/// The icon of a network: usually its name is a brand name of Font Awesome.
fn network_icon(network: &str) -> Icon {
    let (name, style) = match network {
        "website" => ("globe", "solid"),
        "x" | "twitter" | "x-twitter" => ("x-twitter", "brands"),
        "earth-americas" => ("earth-americas", "solid"),
        "podcast" => ("podcast", "solid"),
        name => (name, "brands"),
    };
    Icon {
        name: name.to_owned(),
        style: Some(style.to_owned()),
        library: Some("fontawesome".to_owned()),
    }
}
