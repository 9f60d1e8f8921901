//! What is said to a server that has a repository, in both versions of the protocol that are in
//! use. Every request is complete in itself: what is wanted, what is there already, `done`. So
//! there is one round trip and nothing to negotiate.

use std::cell::RefCell;
use std::io::{self, Read};
use std::rc::Rc;
use std::time::Instant;

use gix::ObjectId;

use crate::GitError;
use crate::packet::{self, Packet};
use crate::transport::Transport;

/// References of one repository that are read.
const MAX_REFERENCES: usize = 2_000_000;
const AGENT: &str = concat!("agent=svc/", env!("CARGO_PKG_VERSION"));

/// What a server says first.
#[derive(Debug, Default)]
pub(crate) struct Advertisement {
    /// Whether it speaks version 2.
    pub(crate) is_v2: bool,
    /// What it can do.
    capabilities: Vec<String>,
    /// In the older version it names all references at once.
    references: Vec<Reference>,
}

/// A name and what it stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Reference {
    pub(crate) name: String,
    pub(crate) id: ObjectId,
    /// The commit, where `id` is a tag that has a message.
    pub(crate) peeled: Option<ObjectId>,
}

impl Reference {
    pub(crate) fn commit(&self) -> ObjectId {
        self.peeled.unwrap_or(self.id)
    }
}

/// What is wanted.
#[derive(Debug, Default, Clone)]
pub(crate) struct FetchArgs {
    /// Objects that must come.
    pub(crate) wants: Vec<ObjectId>,
    /// Commits that are there with everything they need.
    pub(crate) haves: Vec<ObjectId>,
    /// Commits whose parents are not there.
    pub(crate) shallow: Vec<ObjectId>,
    /// Without the history.
    pub(crate) only_tip: bool,
    /// Without contents of files, `blob:none`.
    pub(crate) filter: Option<String>,
}

/// What a server said before the pack.
#[derive(Debug, Default)]
pub(crate) struct ShallowInfo {
    pub(crate) shallow: Vec<ObjectId>,
    pub(crate) unshallow: Vec<ObjectId>,
}

impl Advertisement {
    /// Reads what the server says first.
    pub(crate) fn read(from: &mut impl Read, host: &str) -> Result<Self, GitError> {
        let mut greeting = Self::default();
        let mut first = true;
        loop {
            let Some(packet) = next_packet(from, host)? else {
                if first {
                    return Err(protocol_error(host, "it says nothing"));
                }
                return Err(protocol_error(host, "it breaks off"));
            };
            let text = match &packet {
                // After the title of HTTP.
                Packet::Flush if first => continue,
                Packet::Flush => return Ok(greeting),
                Packet::Data(_) => packet.text(),
                Packet::Delimiter | Packet::End => None,
            };
            let Some(text) = text else {
                return Err(protocol_error(host, "a line is not text"));
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

    /// A line of the older version: a commit, a name, and at first what the server can do.
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
            return Err(protocol_error(host, "it does not name references"));
        };
        // How an empty repository says what it can do.
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

    /// Whether the server can do something in requests for objects.
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

    /// Whether single objects can be asked for that no reference names.
    pub(crate) fn allows_any_object(&self) -> bool {
        self.is_v2
            || self.supports("allow-reachable-sha1-in-want")
            || self.supports("allow-any-sha1-in-want")
    }

    /// The beginning of a request of version 2.
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

/// The references whose names begin with one of `prefixes`.
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
        let why = format!("its objects are named with `{format}`, which is not supported");
        return Err(protocol_error(&transport.host(), why));
    }
    let mut body = greeting.command("ls-refs");
    packet::line(&mut body, "peel");
    for prefix in prefixes {
        packet::line(&mut body, &format!("ref-prefix {prefix}"));
    }
    packet::flush(&mut body);
    let host = transport.host();
    let mut answer = transport.request(body)?;
    let mut found = Vec::new();
    loop {
        let packet = next_packet(&mut answer, &host)?;
        let text = match &packet {
            Some(packet @ Packet::Data(_)) => packet.text(),
            Some(Packet::Flush) => break,
            _ => return Err(protocol_error(&host, "its list of references breaks off")),
        };
        // A name that is not text is none that anybody can ask for.
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
            found.push(reference);
        }
        if found.len() > MAX_REFERENCES {
            return Err(too_many_references());
        }
    }
    Ok(found)
}

/// Asks for objects. `receive` is given the pack.
pub(crate) fn fetch_pack<T>(
    transport: &mut dyn Transport,
    greeting: &Advertisement,
    wanted: &FetchArgs,
    most: u64,
    end: Instant,
    receive: impl FnOnce(&mut dyn Read) -> Result<T, GitError>,
) -> Result<(ShallowInfo, T), GitError> {
    let host = transport.host();
    let body = match greeting.is_v2 {
        true => fetch_request_v2(greeting, wanted),
        false => fetch_request_v0(greeting, wanted, &host)?,
    };
    let mut answer = transport.request(body)?;
    let boundary = match greeting.is_v2 {
        true => response_head_v2(&mut answer, &host)?,
        false => response_head_v0(&mut answer, &host, wanted.only_tip)?,
    };
    let fault = Rc::new(RefCell::new(None));
    let mut pack = PackReader {
        from: answer,
        chunk: Vec::new(),
        at: 0,
        remaining: most,
        max: most,
        deadline: end,
        done: false,
        host,
        error: Rc::clone(&fault),
    };
    let result = receive(&mut pack);
    if result.is_ok() {
        // What ends the pack must not be taken for the beginning of the next answer.
        let _ = io::copy(&mut pack, &mut io::sink());
    }
    // Why the pack broke off says more than that it did.
    match fault.take() {
        Some(fault) => Err(fault),
        None => Ok((boundary, result?)),
    }
}

fn fetch_request_v2(greeting: &Advertisement, wanted: &FetchArgs) -> Vec<u8> {
    let mut body = greeting.command("fetch");
    packet::line(&mut body, "ofs-delta");
    if !wanted.haves.is_empty() {
        packet::line(&mut body, "thin-pack");
    }
    packet::line(&mut body, "no-progress");
    wanted.write_lines(&mut body, "");
    for id in &wanted.haves {
        packet::line(&mut body, &format!("have {id}"));
    }
    packet::line(&mut body, "done");
    packet::flush(&mut body);
    body
}

fn fetch_request_v0(
    greeting: &Advertisement,
    wanted: &FetchArgs,
    host: &str,
) -> Result<Vec<u8>, GitError> {
    if !greeting.supports("side-band-64k") {
        return Err(protocol_error(host, "it is too old"));
    }
    let mut features = String::from(" side-band-64k");
    for feature in ["ofs-delta", "no-progress", "shallow", "filter", "thin-pack"] {
        if greeting.supports(feature) && (feature != "thin-pack" || !wanted.haves.is_empty()) {
            features.push(' ');
            features.push_str(feature);
        }
    }
    features.push(' ');
    features.push_str(AGENT);
    let mut body = Vec::new();
    wanted.write_lines(&mut body, &features);
    packet::flush(&mut body);
    for id in &wanted.haves {
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

/// The sections of version 2 before the pack.
fn response_head_v2(answer: &mut impl Read, host: &str) -> Result<ShallowInfo, GitError> {
    let mut boundary = ShallowInfo::default();
    loop {
        let packet = next_packet(answer, host)?;
        let text = match &packet {
            Some(packet @ Packet::Data(_)) => packet.text(),
            Some(Packet::Delimiter) => continue,
            _ => None,
        };
        let Some(text) = text else {
            return Err(protocol_error(host, "it sends no pack"));
        };
        check_err_line(text, host)?;
        match text {
            "packfile" => return Ok(boundary),
            "shallow-info" | "acknowledgments" | "wanted-refs" | "packfile-uris" => {}
            // Lines of sections that say nothing to whoever has said `done`.
            _ => {
                boundary.parse_line(text);
            }
        }
    }
}

/// What the older version says before the pack.
fn response_head_v0(
    answer: &mut impl Read,
    host: &str,
    deepened: bool,
) -> Result<ShallowInfo, GitError> {
    let mut boundary = ShallowInfo::default();
    let mut borders = deepened;
    loop {
        let packet = next_packet(answer, host)?;
        let text = match &packet {
            Some(packet @ Packet::Data(_)) => packet.text(),
            Some(Packet::Flush) if borders => {
                borders = false;
                continue;
            }
            _ => None,
        };
        let Some(text) = text else {
            return Err(protocol_error(host, "it sends no pack"));
        };
        check_err_line(text, host)?;
        if boundary.parse_line(text) {
            continue;
        }
        if text == "NAK" || text.starts_with("ACK ") {
            return Ok(boundary);
        }
        return Err(protocol_error(host, "it answers with an unknown line"));
    }
}

fn next_packet(from: &mut impl Read, host: &str) -> Result<Option<Packet>, GitError> {
    packet::read(from).map_err(|error| map_io_error(error, host))
}

/// What went wrong below.
fn map_io_error(error: io::Error, host: &str) -> GitError {
    if error
        .get_ref()
        .is_some_and(|inner| inner.is::<svc_fetch::FetchError>())
        && let Some(inner) = error.into_inner()
        && let Ok(inner) = inner.downcast::<svc_fetch::FetchError>()
    {
        return GitError::Network(*inner);
    }
    protocol_error(host, "it breaks off, or sends something else")
}

/// A line with which a server refuses.
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

/// The bytes of the pack out of the lines that carry them.
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
                // The older version repeats that it knows something.
                Some(b'A' | b'N') if self.remaining == self.max => {}
                _ => return Err(protocol_error(&self.host, "a line of its pack has no band")),
            },
            Some(Packet::Delimiter) => {
                return Err(protocol_error(&self.host, "its pack breaks off"));
            }
            None => return Err(protocol_error(&self.host, "its pack breaks off")),
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
