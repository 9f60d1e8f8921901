//! Client side of Git's fetch protocol, versions 0 and 2 (gitprotocol-pack, gitprotocol-v2). Every
//! request is self-contained: wants, haves and `done`. There is a single round trip and no
//! negotiation.

use std::cell::RefCell;
use std::io::{self, Read};
use std::rc::Rc;
use std::time::Instant;

use gix::ObjectId;

use crate::GitError;
use crate::packet::{self, Packet};

/// Maximum number of references of a repository.
const MAX_REFERENCES: usize = 2_000_000;
const AGENT: &str = concat!("agent=svc/", env!("CARGO_PKG_VERSION"));

/// The first message of a server.
#[derive(Debug, Default)]
pub(crate) struct Advertisement {
    /// Whether the server uses version 2.
    pub(crate) is_v2: bool,
    /// Capabilities of the server.
    capabilities: Vec<String>,
    /// All references; only in version 0.
    references: Vec<Reference>,
}

/// A reference and its object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Reference {
    pub(crate) name: String,
    pub(crate) id: ObjectId,
    /// The target, if `id` is an annotated tag.
    pub(crate) peeled: Option<ObjectId>,
}

impl Reference {
    pub(crate) fn commit(&self) -> ObjectId {
        self.peeled.unwrap_or(self.id)
    }
}

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

/// Connection to a server.
pub(crate) trait Transport {
    /// Host, for messages.
    fn host(&self) -> String;
    /// Connects and reads the advertisement.
    fn handshake(&mut self) -> Result<Advertisement, GitError>;
    /// Sends a request. The response must be read to its end before the next request.
    fn request(&mut self, body: Vec<u8>) -> Result<Box<dyn Read + '_>, GitError>;
}

impl Advertisement {
    /// Reads the advertisement of a server.
    pub(crate) fn read(from: &mut impl Read, host: &str) -> Result<Self, GitError> {
        let mut greeting = Self::default();
        let mut first = true;
        loop {
            let Some(packet) = next_packet(from, host)? else {
                if first {
                    return Err(protocol_error(host, "the response is empty"));
                }
                return Err(protocol_error(host, "the response is incomplete"));
            };
            let text = match &packet {
                // The service header of the HTTP transport precedes the list.
                Packet::Flush if first => continue,
                Packet::Flush => return Ok(greeting),
                Packet::Data(_) => packet.text(),
                Packet::Delimiter | Packet::End => None,
            };
            let Some(text) = text else {
                return Err(protocol_error(host, "a line is not UTF-8"));
            };
            check_err_line(text, host)?;
            if first && text.starts_with("# service=") {
                continue;
            }
            match text {
                "version 2" if first => greeting.is_v2 = true,
                "version 1" if first => continue,
                _ if greeting.is_v2 => greeting.capabilities.push(text.to_owned()),
                _ => greeting.parse_v0_line(text, host)?,
            }
            first = false;
            if greeting.references.len().max(greeting.capabilities.len()) > MAX_REFERENCES {
                return Err(too_many_references());
            }
        }
    }

    /// Parses a line of version 0: an object id, a name and, in the first line, the capabilities.
    fn parse_v0_line(&mut self, text: &str, host: &str) -> Result<(), GitError> {
        let (text, capabilities) = text.split_once('\0').unwrap_or((text, ""));
        let more = capabilities.split(' ').filter(|one| !one.is_empty());
        self.capabilities.extend(more.map(str::to_owned));
        if text.starts_with("shallow ") {
            return Ok(());
        }
        let parsed = text.split_once(' ').and_then(|(id, name)| {
            let id = ObjectId::from_hex(id.as_bytes()).ok()?;
            Some((id, name))
        });
        let Some((id, name)) = parsed else {
            return Err(protocol_error(host, "the list of references is malformed"));
        };
        // The pseudo-reference of an empty repository, which carries the capabilities.
        if name == "capabilities^{}" {
            return Ok(());
        }
        match (name.strip_suffix("^{}"), self.references.last_mut()) {
            (Some(tag), Some(last)) if last.name == tag => last.peeled = Some(id),
            (Some(_), _) => {}
            (None, _) => self.references.push(Reference {
                name: name.to_owned(),
                id,
                peeled: None,
            }),
        }
        Ok(())
    }

    /// Whether the server supports a feature of the fetch command.
    pub(crate) fn supports(&self, what: &str) -> bool {
        if !self.is_v2 {
            return self.capabilities.iter().any(|one| one == what);
        }
        let fetch = self
            .capabilities
            .iter()
            .find_map(|one| one.strip_prefix("fetch="));
        fetch.is_some_and(|features| features.split(' ').any(|one| one == what))
    }

    /// Whether objects can be fetched that no reference points to.
    pub(crate) fn allows_any_object(&self) -> bool {
        self.is_v2
            || self.supports("allow-reachable-sha1-in-want")
            || self.supports("allow-any-sha1-in-want")
    }

    /// Begins a request of version 2.
    fn command(&self, name: &str) -> Vec<u8> {
        let mut body = Vec::new();
        packet::line(&mut body, &format!("command={name}"));
        if self
            .capabilities
            .iter()
            .any(|one| one.starts_with("agent="))
        {
            packet::line(&mut body, AGENT);
        }
        if self
            .capabilities
            .iter()
            .any(|one| one == "object-format=sha1")
        {
            packet::line(&mut body, "object-format=sha1");
        }
        packet::delimiter(&mut body);
        body
    }
}

/// References whose names begin with one of `prefixes`.
pub(crate) fn references(
    transport: &mut dyn Transport,
    greeting: &Advertisement,
    prefixes: &[&str],
) -> Result<Vec<Reference>, GitError> {
    let fits = |reference: &Reference| {
        let begins = |prefix: &&str| reference.name.starts_with(*prefix);
        prefixes.iter().any(begins)
    };
    if !greeting.is_v2 {
        let named = greeting.references.iter().filter(|one| fits(one));
        return Ok(named.cloned().collect());
    }
    if let Some(format) = greeting
        .capabilities
        .iter()
        .find_map(|one| one.strip_prefix("object-format="))
        && format != "sha1"
    {
        let why = format!("object format `{format}` is not supported");
        return Err(protocol_error(&transport.host(), why));
    }
    let mut body = greeting.command("ls-refs");
    packet::line(&mut body, "peel");
    for prefix in prefixes {
        packet::line(&mut body, &format!("ref-prefix {prefix}"));
    }
    packet::flush(&mut body);
    let host = transport.host();
    let mut response = transport.request(body)?;
    let mut refs = Vec::new();
    loop {
        let packet = next_packet(&mut response, &host)?;
        let text = match &packet {
            Some(packet @ Packet::Data(_)) => packet.text(),
            Some(Packet::Flush) => break,
            _ => {
                return Err(protocol_error(
                    &host,
                    "the list of references is incomplete",
                ));
            }
        };
        // References with invalid UTF-8 cannot be requested, so they are skipped.
        let Some(text) = text else { continue };
        check_err_line(text, &host)?;
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
        if fits(&reference) {
            refs.push(reference);
        }
        if refs.len() > MAX_REFERENCES {
            return Err(too_many_references());
        }
    }
    Ok(refs)
}

/// Fetches objects and passes the pack to `receive`.
pub(crate) fn fetch_pack<T>(
    transport: &mut dyn Transport,
    greeting: &Advertisement,
    args: &FetchArgs,
    max: u64,
    end: Instant,
    receive: impl FnOnce(&mut dyn Read) -> Result<T, GitError>,
) -> Result<(ShallowInfo, T), GitError> {
    let host = transport.host();
    let body = match greeting.is_v2 {
        true => fetch_request_v2(greeting, args),
        false => fetch_request_v0(greeting, args, &host)?,
    };
    let mut response = transport.request(body)?;
    let boundary = match greeting.is_v2 {
        true => response_head_v2(&mut response, &host)?,
        false => response_head_v0(&mut response, &host, args.only_tip)?,
    };
    let fault = Rc::new(RefCell::new(None));
    let mut pack = PackReader {
        from: response,
        chunk: Vec::new(),
        at: 0,
        remaining: max,
        max,
        deadline: end,
        done: false,
        host,
        error: Rc::clone(&fault),
    };
    let result = receive(&mut pack);
    if result.is_ok() {
        // The rest of the pack must not be read as the beginning of the next response.
        let _ = io::copy(&mut pack, &mut io::sink());
    }
    // The error of the transport is more specific than that of the pack.
    match fault.take() {
        Some(fault) => Err(fault),
        None => Ok((boundary, result?)),
    }
}

fn fetch_request_v2(greeting: &Advertisement, args: &FetchArgs) -> Vec<u8> {
    let mut body = greeting.command("fetch");
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
    greeting: &Advertisement,
    args: &FetchArgs,
    host: &str,
) -> Result<Vec<u8>, GitError> {
    if !greeting.supports("side-band-64k") {
        return Err(protocol_error(
            host,
            "the server lacks required capabilities",
        ));
    }
    let mut features = String::from(" side-band-64k");
    for feature in ["ofs-delta", "no-progress", "shallow", "filter", "thin-pack"] {
        if greeting.supports(feature) && (feature != "thin-pack" || !args.haves.is_empty()) {
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
        let packet = next_packet(response, host)?;
        let text = match &packet {
            Some(packet @ Packet::Data(_)) => packet.text(),
            Some(Packet::Delimiter) => continue,
            _ => None,
        };
        let Some(text) = text else {
            return Err(protocol_error(host, "the response contains no pack"));
        };
        check_err_line(text, host)?;
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
    let mut borders = deepened;
    loop {
        let packet = next_packet(response, host)?;
        let text = match &packet {
            Some(packet @ Packet::Data(_)) => packet.text(),
            Some(Packet::Flush) if borders => {
                borders = false;
                continue;
            }
            _ => None,
        };
        let Some(text) = text else {
            return Err(protocol_error(host, "the response contains no pack"));
        };
        check_err_line(text, host)?;
        if boundary.parse_line(text) {
            continue;
        }
        if text == "NAK" || text.starts_with("ACK ") {
            return Ok(boundary);
        }
        return Err(protocol_error(
            host,
            "the response contains an unknown line",
        ));
    }
}

fn next_packet(from: &mut impl Read, host: &str) -> Result<Option<Packet>, GitError> {
    packet::read(from).map_err(|error| map_io_error(error, host))
}

/// Converts an I/O error of a transport.
fn map_io_error(error: io::Error, host: &str) -> GitError {
    if error
        .get_ref()
        .is_some_and(|inner| inner.is::<svc_fetch::FetchError>())
        && let Some(inner) = error.into_inner()
        && let Ok(inner) = inner.downcast::<svc_fetch::FetchError>()
    {
        return GitError::Network(*inner);
    }
    protocol_error(host, "the response is incomplete or malformed")
}

/// Returns an error if the line is an `ERR` message.
fn check_err_line(text: &str, host: &str) -> Result<(), GitError> {
    let Some(message) = text.strip_prefix("ERR ") else {
        return Ok(());
    };
    Err(remote_error(message, host))
}

fn remote_error(message: &str, host: &str) -> GitError {
    GitError::Remote {
        host: host.to_owned(),
        message: crate::error::sanitize_line(message),
    }
}

pub(crate) fn protocol_error(host: &str, why: impl Into<String>) -> GitError {
    GitError::Protocol {
        host: host.to_owned(),
        why: why.into(),
    }
}

fn too_many_references() -> GitError {
    GitError::TooLarge {
        max: MAX_REFERENCES as u64,
        what: "branches and tags",
    }
}

/// Reads the pack from side-band packets.
struct PackReader<R> {
    from: R,
    chunk: Vec<u8>,
    at: usize,
    remaining: u64,
    max: u64,
    deadline: Instant,
    done: bool,
    host: String,
    error: Rc<RefCell<Option<GitError>>>,
}

impl<R: Read> PackReader<R> {
    fn fail(&mut self, error: GitError) -> io::Error {
        let shown = error.to_string();
        self.error.borrow_mut().get_or_insert(error);
        self.done = true;
        io::Error::other(shown)
    }

    fn advance(&mut self) -> Result<(), GitError> {
        if Instant::now() > self.deadline {
            return Err(GitError::Timeout(0));
        }
        match next_packet(&mut self.from, &self.host)? {
            Some(Packet::Flush | Packet::End) => self.done = true,
            Some(Packet::Data(data)) => match data.first() {
                Some(1) => {
                    self.remaining = match self.remaining.checked_sub(data.len() as u64) {
                        Some(left) => left,
                        None => {
                            return Err(GitError::TooLarge {
                                max: self.max,
                                what: "bytes to fetch",
                            });
                        }
                    };
                    self.chunk = data;
                    self.at = 1;
                }
                Some(2) => {}
                Some(3) => {
                    let message = String::from_utf8_lossy(data.get(1..).unwrap_or_default());
                    return Err(remote_error(&message, &self.host));
                }
                // Version 0 may repeat its acknowledgments.
                Some(b'A' | b'N') if self.remaining == self.max => {}
                _ => return Err(protocol_error(&self.host, "a packet has no side band")),
            },
            Some(Packet::Delimiter) => {
                return Err(protocol_error(&self.host, "the pack is incomplete"));
            }
            None => return Err(protocol_error(&self.host, "the pack is incomplete")),
        }
        Ok(())
    }
}

impl<R: Read> Read for PackReader<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        while self.at >= self.chunk.len() && !self.done {
            if let Err(error) = self.advance() {
                return Err(self.fail(error));
            }
        }
        let rest = self.chunk.get(self.at..).unwrap_or_default();
        let length = rest.len().min(into.len());
        into[..length].copy_from_slice(&rest[..length]);
        self.at += length;
        Ok(length)
    }
}
