//! Command line options about how the site of one folder is made, for every program that shows one.

use clap::Args;
use svc_site::LoadOptions;

use crate::settings::{ORIGIN_HINT, parse_base_path, parse_origin};

/// Where the site stands, and what of it is left out.
#[derive(Debug, Clone, Default, Args)]
pub struct SiteArgs {
    /// Path before all addresses, `/docs`
    #[arg(long, default_value = "", value_name = "PATH", value_parser = base_path)]
    base_path: String,
    /// Where readers find the site, `https://docs.example.com`: for canonical addresses, the sitemap
    /// and pictures of shared links. A canonical address in docs.json wins
    #[arg(long, default_value = "", value_name = "URL", value_parser = origin)]
    origin: String,
    /// Leaves out the scripts and style sheets of the repository and runs none of its components
    #[arg(long)]
    without_scripts: bool,
    /// Loads no fonts from the public catalogue of web fonts
    #[arg(long)]
    without_web_fonts: bool,
    /// Shows pages that ask for protection to everybody: `public: false`, `groups`, `auth`, `userAuth`
    #[arg(long)]
    serve_protected: bool,
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
    /// Where readers find the site; empty when nothing was said.
    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// What they come to.
    pub fn options(&self) -> LoadOptions {
        LoadOptions {
            base_path: self.base_path.clone(),
            origin: self.origin.clone(),
            without_scripts: self.without_scripts,
            without_web_fonts: self.without_web_fonts,
            serve_protected: self.serve_protected,
            ..LoadOptions::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_reads_what_the_settings_read() {
        assert_eq!(base_path("/docs/"), Ok("/docs".to_owned()));
        assert_eq!(base_path(""), Ok(String::new()));
        for wrong in ["//evil", "docs", "/a/../b", "/a b", "/<x>"] {
            assert!(base_path(wrong).is_err(), "{wrong}");
        }
        let read = origin("https://Docs.example.com/");
        assert_eq!(read, Ok("https://docs.example.com".to_owned()));
        for wrong in [
            "javascript:1",
            "docs.example.com",
            "https://a/b",
            "https://u@a",
        ] {
            assert!(origin(wrong).is_err(), "{wrong}");
        }
    }
}
