//! Command-line options for loading the site of a single folder.

use clap::Args;
use svc_site::{Audience, SiteOptions};

use crate::settings::{ORIGIN_HINT, parse_base_path, parse_origin};

/// Options for loading a site.
#[derive(Debug, Clone, Default, Args)]
pub struct SiteArgs {
    /// URL path prefix, for example `/docs`
    #[arg(long, default_value = "", value_name = "PATH", value_parser = base_path)]
    base_path: String,
    /// Public origin, for example `https://docs.example.com`, for canonical URLs, the sitemap and
    /// images of shared links. A canonical URL in docs.json takes precedence
    #[arg(long, default_value = "", value_name = "URL", value_parser = origin)]
    origin: String,
    /// Ignore the scripts, style sheets and components of the repository, and load no `integrations`
    #[arg(long)]
    without_scripts: bool,
    /// Load no fonts from the public catalog of web fonts
    #[arg(long)]
    without_web_fonts: bool,
    /// Serve protected pages to every reader: `public: false`, `groups`, `auth`, `userAuth`
    #[arg(long, conflicts_with = "audience")]
    serve_protected: bool,
    #[command(flatten)]
    audience: AudienceArgs,
}

/// Option for the readers whose site is shown.
#[derive(Debug, Clone, Default, Args)]
pub struct AudienceArgs {
    /// Show the site of readers who have signed in and belong to these groups; `signed-in` for those
    /// without a group
    #[arg(
        long,
        visible_alias = "groups",
        value_delimiter = ',',
        value_name = "GROUP"
    )]
    audience: Vec<String>,
}

/// Value of the option for readers without a group.
const SIGNED_IN: &str = "signed-in";

impl AudienceArgs {
    /// The readers; everyone unless the option is used.
    pub fn audience(&self) -> Audience {
        let names = self.audience.iter().map(|name| name.trim());
        let groups = names.filter(|name| !name.is_empty() && *name != SIGNED_IN);
        match self.audience.is_empty() {
            true => Audience::Everyone,
            false => Audience::Members(groups.map(str::to_owned).collect()),
        }
    }
}

fn base_path(text: &str) -> Result<String, String> {
    match text {
        "" => Ok(String::new()),
        text => parse_base_path(text),
    }
}

fn origin(text: &str) -> Result<String, String> {
    match text {
        "" => Ok(String::new()),
        text => parse_origin(text).ok_or_else(|| ORIGIN_HINT.to_owned()),
    }
}

impl SiteArgs {
    /// The public origin; empty if it is not set.
    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// The options of the site.
    pub fn options(&self) -> SiteOptions {
        SiteOptions {
            base_path: self.base_path.clone(),
            origin: self.origin.clone(),
            without_scripts: self.without_scripts,
            integrations: true,
            without_web_fonts: self.without_web_fonts,
            audience: match self.serve_protected {
                true => Audience::Trusted,
                false => self.audience.audience(),
            },
            ..SiteOptions::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_arguments_accept_the_same_values_as_the_settings() {
        assert_eq!(base_path("/docs/"), Ok("/docs".to_owned()));
        assert_eq!(base_path(""), Ok(String::new()));
        for invalid in ["//evil", "docs", "/a/../b", "/a b", "/<x>"] {
            assert!(base_path(invalid).is_err(), "{invalid}");
        }
        let read = origin("https://Docs.example.com/");
        assert_eq!(read, Ok("https://docs.example.com".to_owned()));
        for invalid in [
            "javascript:1",
            "docs.example.com",
            "https://a/b",
            "https://u@a",
        ] {
            assert!(origin(invalid).is_err(), "{invalid}");
        }
    }
}
