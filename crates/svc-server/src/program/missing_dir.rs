//! What the program says when neither a folder nor `--config` is given.

use std::path::Path;

use crate::check_dir;

/// Message for a call without arguments in the folder `dir`: what is missing, and the commands that
/// come next.
pub(super) fn message(dir: &Path) -> String {
    let nested = crate::run::nested_site_dir(dir);
    let (fact, command) = match (check_dir(dir), nested) {
        (Ok(()), _) => ("this folder contains a site", "svc-server .".to_owned()),
        (Err(_), Some(nested)) => {
            let nested = nested.strip_prefix(dir).unwrap_or(&nested);
            (
                "a folder below this one contains a site",
                format!("svc-server {}", nested.display()),
            )
        }
        (Err(_), None) => {
            return "FOLDER is missing, and there is no `docs.json` in this folder\n\n  \
                    svc-server FOLDER           serve the folder that contains a `docs.json`\n  \
                    svc-server --config FILE    serve the projects of a settings file\n  \
                    svc-server --help           list all options\n\n\
                    A `docs.json` has the name and the pages of a site; its smallest form is:\n\n  \
                    {\"theme\": \"svc\", \"name\": \"Docs\", \"colors\": {\"primary\": \"#0f766e\"}, \
                    \"navigation\": {\"pages\": [\"index\"]}}\n"
                .to_owned();
        }
    };
    format!(
        "FOLDER is missing; {fact}. Serve it with:\n\n  {command}\n\n\
         Add `--watch` to see changes, or run `svc-server --help` for all options.\n"
    )
}
