//! Command line options about how the site of one folder is made, for every program that shows one.

use clap::Args;
use svc_site::LoadOptions;

/// Where the site stands, and what of it is left out.
#[derive(Debug, Clone, Default, Args)]
pub struct Loading {
    /// Path before all addresses, `/docs`
    #[arg(long, default_value = "", value_name = "PATH")]
    base_path: String,
    /// Where readers find the site, `https://docs.example.com`: for canonical addresses, the sitemap
    /// and pictures of shared links. A canonical address in docs.json wins
    #[arg(long, default_value = "", value_name = "URL")]
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

impl Loading {
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
