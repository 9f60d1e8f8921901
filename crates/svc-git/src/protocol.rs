//! Client side of Git's fetch protocol, versions 0 and 2 (gitprotocol-pack, gitprotocol-v2). Every
//! request is self-contained: wants, haves and `done`. There is a single round trip and no
//! negotiation.
//!
//! Why not `gix-protocol` 0.68 and `gix-transport` 0.62: they would replace [`crate::packet`],
//! [`crate::advertisement`], the requests and the responses, about 500 lines. About 250 lines of
//! adapters would take their place: two implementations of `Transport` with its lazy writer and
//! reader pairs, and the typed errors, which have to be recovered from an erased error. The checks
//! of `transport`, which are the larger part, stay the same. In return:
//!
//! - `blocking-client` adds three packages (`gix-credentials`, `gix-prompt`, `gix-negotiate`) and
//!   7 s of compilation. The first one runs credential helpers, which this crate must never do.
//! - References and capabilities are collected without a limit. Here both are limited.
//! - A single malformed reference fails the whole list. Here it is skipped.
//! - Version 0 is only accepted from servers with `multi_ack_detailed`, which is not needed here.

use std::io::{self, Read};
use std::time::Instant;

use gix::ObjectId;

use crate::GitError;
use crate::advertisement::{AGENT, Advertisement, MAX_REFERENCES, Reference, too_many_references};
use crate::pack_reader::PackReader;
use crate::packet::{self, Packet};
use crate::transport::Transport;

/// Arguments of a fetch request.
#[derive(Debug, Default, Clone)]
pub(crate) struct FetchArgs {
    /// Objects to fetch.
    pub(crate) wants: Vec<ObjectId>,
    /// Commits that the store contains with all their objects.
    pub(crate) haves: Vec<ObjectId>,
    /// Commits of the store whose parents are missing.
    pub(crate) shallow: Vec<ObjectId>,
    /// Whether to fetch without history (`deepen 1`).
    pub(crate) only_tip: bool,
    /// Object filter, for example `blob:none`.
    pub(crate) filter: Option<String>,
}

/// Changes of the shallow boundary in a response.
#[derive(Debug, Default)]
pub(crate) struct ShallowInfo {
    pub(crate) shallow: Vec<ObjectId>,
    pub(crate) unshallow: Vec<ObjectId>,
}

/// References whose names begin with one of `prefixes`.
pub(crate) fn references(
    transport: &mut dyn Transport,
    advertisement: &Advertisement,
    prefixes: &[&str],
) -> Result<Vec<Reference>, GitError> {
    let matches = |reference: &Reference| {
        let begins = |prefix: &&str| reference.name.starts_with(*prefix);
        prefixes.iter().any(begins)
    };
    if !advertisement.is_v2 {
        let matching = advertisement.references.iter().filter(|item| matches(item));
        return Ok(matching.cloned().collect());
    }
    if let Some(format) = advertisement
        .capabilities
        .iter()
        .find_map(|item| item.strip_prefix("object-format="))
        && format != "sha1"
    {
        let reason = format!("object format `{format}` is not supported");
        return Err(GitError::protocol(&transport.host(), reason));
    }
    let mut body = advertisement.command("ls-refs");
    packet::line(&mut body, "peel");
    for prefix in prefixes {
        packet::line(&mut body, &format!("ref-prefix {prefix}"));
    }
    packet::flush(&mut body);
    let host = transport.host();
    let mut response = transport.request(body)?;
    let mut refs = Vec::new();
    loop {
        let packet = packet::read_from_host(&mut response, &host)?;
        let text = match &packet {
            Some(packet @ Packet::Data(_)) => packet.text(),
            Some(Packet::Flush) => break,
            _ => {
                return Err(GitError::protocol(
                    &host,
                    "the list of references is incomplete",
                ));
            }
        };
        // References with invalid UTF-8 cannot be requested, so they are skipped.
        let Some(text) = text else { continue };
        packet::check_err_line(text, &host)?;
        let mut parts = text.split(' ');
        let id = parts
            .next()
            .and_then(|id| ObjectId::from_hex(id.as_bytes()).ok());
        let (Some(id), Some(name)) = (id, parts.next()) else {
            // `unborn HEAD` of an empty repository.
            continue;
        };
        let peeled = parts.find_map(|part| part.strip_prefix("peeled:"));
        let reference = Reference {
            name: name.to_owned(),
            id,
            peeled: peeled.and_then(|id| ObjectId::from_hex(id.as_bytes()).ok()),
        };
        // A server may ignore the prefixes.
        if matches(&reference) {
            refs.push(reference);
        }
        if refs.len() > MAX_REFERENCES {
            return Err(too_many_references());
        }
    }
    Ok(refs)
}

/// Fetches objects and passes the pack to `receive`.
pub(crate) fn fetch_pack(
    transport: &mut dyn Transport,
    advertisement: &Advertisement,
    args: &FetchArgs,
    max: u64,
    end: Instant,
    receive: impl FnOnce(&mut dyn Read) -> Result<(), GitError>,
) -> Result<ShallowInfo, GitError> {
    let host = transport.host();
    let body = match advertisement.is_v2 {
        true => fetch_request_v2(advertisement, args),
        false => fetch_request_v0(advertisement, args, &host)?,
    };
    let mut response = transport.request(body)?;
    let boundary = match advertisement.is_v2 {
        true => response_head_v2(&mut response, &host)?,
        false => response_head_v0(&mut response, &host, args.only_tip)?,
    };
    let mut pack = PackReader::new(response, host, max, end);
    let result = receive(&mut pack);
    if result.is_ok() {
        // The rest of the pack must not be read as the beginning of the next response.
        let _ = io::copy(&mut pack, &mut io::sink());
    }
    // The error of the transport is more specific than that of the pack.
    match pack.into_error() {
        Some(error) => Err(error),
        None => result.map(|()| boundary),
    }
}

fn fetch_request_v2(advertisement: &Advertisement, args: &FetchArgs) -> Vec<u8> {
    let mut body = advertisement.command("fetch");
    packet::line(&mut body, "ofs-delta");
    if !args.haves.is_empty() {
        packet::line(&mut body, "thin-pack");
    }
    packet::line(&mut body, "no-progress");
    args.write_lines(&mut body, "");
    for id in &args.haves {
        packet::line(&mut body, &format!("have {id}"));
    }
    packet::line(&mut body, "done");
    packet::flush(&mut body);
    body
}

fn fetch_request_v0(
    advertisement: &Advertisement,
    args: &FetchArgs,
    host: &str,
) -> Result<Vec<u8>, GitError> {
    if !advertisement.supports("side-band-64k") {
        return Err(GitError::protocol(
            host,
            "the server lacks required capabilities",
        ));
    }
    let mut features = String::from(" side-band-64k");
    for feature in ["ofs-delta", "no-progress", "shallow", "filter", "thin-pack"] {
        if advertisement.supports(feature) && (feature != "thin-pack" || !args.haves.is_empty()) {
            features.push(' ');
            features.push_str(feature);
        }
    }
    features.push(' ');
    features.push_str(AGENT);
    let mut body = Vec::new();
    args.write_lines(&mut body, &features);
    packet::flush(&mut body);
    for id in &args.haves {
        packet::line(&mut body, &format!("have {id}"));
    }
    packet::line(&mut body, "done");
    Ok(body)
}

impl FetchArgs {
    fn write_lines(&self, body: &mut Vec<u8>, features: &str) {
        let mut features = features;
        for id in &self.wants {
            packet::line(body, &format!("want {id}{features}"));
            features = "";
        }
        for id in &self.shallow {
            packet::line(body, &format!("shallow {id}"));
        }
        if self.only_tip {
            packet::line(body, "deepen 1");
        }
        if let Some(filter) = &self.filter {
            packet::line(body, &format!("filter {filter}"));
        }
    }
}

impl ShallowInfo {
    fn parse_line(&mut self, text: &str) -> bool {
        let parse = |id: &str| ObjectId::from_hex(id.as_bytes()).ok();
        if let Some(id) = text.strip_prefix("shallow ").and_then(parse) {
            self.shallow.push(id);
        } else if let Some(id) = text.strip_prefix("unshallow ").and_then(parse) {
            self.unshallow.push(id);
        } else {
            return false;
        }
        true
    }
}

/// Reads the sections of a version 2 response before the pack.
fn response_head_v2(response: &mut impl Read, host: &str) -> Result<ShallowInfo, GitError> {
    let mut boundary = ShallowInfo::default();
    loop {
        let packet = packet::read_from_host(response, host)?;
        let text = match &packet {
            Some(packet @ Packet::Data(_)) => packet.text(),
            Some(Packet::Delimiter) => continue,
            _ => None,
        };
        let Some(text) = text else {
            return Err(GitError::protocol(host, "the response contains no pack"));
        };
        packet::check_err_line(text, host)?;
        match text {
            "packfile" => return Ok(boundary),
            "shallow-info" | "acknowledgments" | "wanted-refs" | "packfile-uris" => {}
            // Other sections do not matter after `done`.
            _ => {
                boundary.parse_line(text);
            }
        }
    }
}

/// Reads the lines of a version 0 response before the pack.
fn response_head_v0(
    response: &mut impl Read,
    host: &str,
    deepened: bool,
) -> Result<ShallowInfo, GitError> {
    let mut boundary = ShallowInfo::default();
    let mut in_shallow_section = deepened;
    loop {
        let packet = packet::read_from_host(response, host)?;
        let text = match &packet {
            Some(packet @ Packet::Data(_)) => packet.text(),
            Some(Packet::Flush) if in_shallow_section => {
                in_shallow_section = false;
                continue;
            }
            _ => None,
        };
        let Some(text) = text else {
            return Err(GitError::protocol(host, "the response contains no pack"));
        };
        packet::check_err_line(text, host)?;
        if boundary.parse_line(text) {
            continue;
        }
        if text == "NAK" || text.starts_with("ACK ") {
            return Ok(boundary);
        }
        return Err(GitError::protocol(
            host,
            "the response contains an unknown line",
        ));
    }
}
