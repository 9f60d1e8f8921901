//! `trusted_proxies`: proxies that are trusted to name the client.

use svc_admin_api::key::Network;

use super::decode::{Cx, Fields};

/// The networks; `None` if the key is missing.
pub(super) fn decode(cx: &mut Cx<'_>, fields: Fields<'_>) -> Option<Vec<Network>> {
    let texts = cx.texts(fields, "trusted_proxies")?;
    let mut networks = Vec::new();
    for text in texts {
        match Network::parse(text.text) {
            Some(network) => networks.push(network),
            None => {
                let hint =
                    "write an IP address or a network: `127.0.0.1`, `10.0.0.0/8`, `fd00::/8`";
                cx.refuse(text, "trusted_proxies", hint);
            }
        }
    }
    Some(networks)
}
