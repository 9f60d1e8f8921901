//! `[metrics]`: a listener for metrics.

use std::net::SocketAddr;

use super::decode::{Cx, Fields};
use super::table::{TableSchema, ValueType, key};

pub(super) static TABLE: TableSchema = TableSchema {
    name: "metrics",
    about: "A separate listener for `/metrics`. The listener of `[admin]` has them without this table. Changes require a restart.",
    keys: &[key(
        "listen",
        ValueType::Text(""),
        "Address and port of the listener, without encryption or authentication: use an address that only your monitoring reaches.",
    )
    .required()
    .example("\"127.0.0.1:9100\"")],
    choices: &[],
};

pub(super) fn decode(cx: &mut Cx<'_>, server: Fields<'_>) -> Option<SocketAddr> {
    let fields = server
        .get("metrics")
        .and_then(|node| cx.open(node, &TABLE))?;
    let text = cx.text(fields, "listen")?;
    let addr = text.text.parse().ok();
    if addr.is_none() {
        let hint = "write an IP address and a port: `127.0.0.1:9100`, `[::1]:9100`";
        cx.refuse(text, "listen", hint);
    }
    addr
}
