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
const MOST_REFERENCES: usize = 2_000_000;
const AGENT: &str = concat!("agent=svc/", env!("CARGO_PKG_VERSION"));

/// What a server says first.
#[derive(Debug, Default)]
pub(crate) struct Greeting {
    /// Whether it speaks version 2.
    pub(crate) second: bool,
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
pub(crate) struct Wanted {
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
pub(crate) struct Boundary {
    pub(crate) shallow: Vec<ObjectId>,
    pub(crate) unshallow: Vec<ObjectId>,
}

impl Greeting {
    /// Reads what the server says first.
    pub(crate) fn read(from: &mut impl Read, host: &str) -> Result<Self, GitError> {
        let mut greeting = Self::default();
        let mut first = true;
        loop {
            let Some(packet) = next(from, host)? else {
                if first {
                    return Err(protocol(host, "it says nothing"));
                }
                return Err(protocol(host, "it breaks off"));
            };
            let text = match &packet {
                // After the title of HTTP.
                Packet::Flush if first => continue,
                Packet::Flush => return Ok(greeting),
                Packet::Data(_) => packet.text(),
                Packet::Delimiter | Packet::End => None,
            };
            let Some(text) = text else {
                return Err(protocol(host, "a line is not text"));
            };
            refused(text, host)?;
            if first && text.starts_with("# service=") {
                continue;
            }
            match text {
                "version 2" if first => greeting.second = true,
                "version 1" if first => continue,
                _ if greeting.second => greeting.capabilities.push(text.to_owned()),
                _ => greeting.note(text, host)?,
            }
            first = false;
            if greeting.references.len().max(greeting.capabilities.len()) > MOST_REFERENCES {
                return Err(too_many());
            }
        }
    }

    /// A line of the older version: a commit, a name, and at first what the server can do.
    fn note(&mut self, text: &str, host: &str) -> Result<(), GitError> {
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
            return Err(protocol(host, "it does not name references"));
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
    pub(crate) fn can(&self, what: &str) -> bool {
        if !self.second {
            return self.capabilities.iter().any(|one| one == what);
        }
        let fetch = self
            .capabilities
            .iter()
            .find_map(|one| one.strip_prefix("fetch="));
        fetch.is_some_and(|features| features.split(' ').any(|one| one == what))
    }

    /// Whether single objects can be asked for that no reference names.
    pub(crate) fn gives_single_objects(&self) -> bool {
        self.second
            || self.can("allow-reachable-sha1-in-want")
            || self.can("allow-any-sha1-in-want")
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
    greeting: &Greeting,
    prefixes: &[&str],
) -> Result<Vec<Reference>, GitError> {
    let fits = |reference: &Reference| {
        let begins = |prefix: &&str| reference.name.starts_with(*prefix);
        prefixes.iter().any(begins)
    };
    if !greeting.second {
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
        return Err(protocol(&transport.host(), why));
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
        let packet = next(&mut answer, &host)?;
        let text = match &packet {
            Some(packet @ Packet::Data(_)) => packet.text(),
            Some(Packet::Flush) => break,
            _ => return Err(protocol(&host, "its list of references breaks off")),
        };
        // A name that is not text is none that anybody can ask for.
        let Some(text) = text else { continue };
        refused(text, &host)?;
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
        if found.len() > MOST_REFERENCES {
            return Err(too_many());
        }
    }
    Ok(found)
}

/// Asks for objects. `receive` is given the pack.
pub(crate) fn objects<T>(
    transport: &mut dyn Transport,
    greeting: &Greeting,
    wanted: &Wanted,
    most: u64,
    end: Instant,
    receive: impl FnOnce(&mut dyn Read) -> Result<T, GitError>,
) -> Result<(Boundary, T), GitError> {
    let host = transport.host();
    let body = match greeting.second {
        true => second_request(greeting, wanted),
        false => first_request(greeting, wanted, &host)?,
    };
    let mut answer = transport.request(body)?;
    let boundary = match greeting.second {
        true => second_head(&mut answer, &host)?,
        false => first_head(&mut answer, &host, wanted.only_tip)?,
    };
    let fault = Rc::new(RefCell::new(None));
    let mut pack = Pack {
        from: answer,
        piece: Vec::new(),
        at: 0,
        left: most,
        most,
        end,
        done: false,
        host,
        fault: Rc::clone(&fault),
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

fn second_request(greeting: &Greeting, wanted: &Wanted) -> Vec<u8> {
    let mut body = greeting.command("fetch");
    packet::line(&mut body, "ofs-delta");
    if !wanted.haves.is_empty() {
        packet::line(&mut body, "thin-pack");
    }
    packet::line(&mut body, "no-progress");
    wanted.lines(&mut body, "");
    for id in &wanted.haves {
        packet::line(&mut body, &format!("have {id}"));
    }
    packet::line(&mut body, "done");
    packet::flush(&mut body);
    body
}

fn first_request(greeting: &Greeting, wanted: &Wanted, host: &str) -> Result<Vec<u8>, GitError> {
    if !greeting.can("side-band-64k") {
        return Err(protocol(host, "it is too old"));
    }
    let mut features = String::from(" side-band-64k");
    for feature in ["ofs-delta", "no-progress", "shallow", "filter", "thin-pack"] {
        if greeting.can(feature) && (feature != "thin-pack" || !wanted.haves.is_empty()) {
            features.push(' ');
            features.push_str(feature);
        }
    }
    features.push(' ');
    features.push_str(AGENT);
    let mut body = Vec::new();
    wanted.lines(&mut body, &features);
    packet::flush(&mut body);
    for id in &wanted.haves {
        packet::line(&mut body, &format!("have {id}"));
    }
    packet::line(&mut body, "done");
    Ok(body)
}

impl Wanted {
    fn lines(&self, body: &mut Vec<u8>, features: &str) {
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

impl Boundary {
    fn note(&mut self, text: &str) -> bool {
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
fn second_head(answer: &mut impl Read, host: &str) -> Result<Boundary, GitError> {
    let mut boundary = Boundary::default();
    loop {
        let packet = next(answer, host)?;
        let text = match &packet {
            Some(packet @ Packet::Data(_)) => packet.text(),
            Some(Packet::Delimiter) => continue,
            _ => None,
        };
        let Some(text) = text else {
            return Err(protocol(host, "it sends no pack"));
        };
        refused(text, host)?;
        match text {
            "packfile" => return Ok(boundary),
            "shallow-info" | "acknowledgments" | "wanted-refs" | "packfile-uris" => {}
            // Lines of sections that say nothing to whoever has said `done`.
            _ => {
                boundary.note(text);
            }
        }
    }
}

/// What the older version says before the pack.
fn first_head(answer: &mut impl Read, host: &str, deepened: bool) -> Result<Boundary, GitError> {
    let mut boundary = Boundary::default();
    let mut borders = deepened;
    loop {
        let packet = next(answer, host)?;
        let text = match &packet {
            Some(packet @ Packet::Data(_)) => packet.text(),
            Some(Packet::Flush) if borders => {
                borders = false;
                continue;
            }
            _ => None,
        };
        let Some(text) = text else {
            return Err(protocol(host, "it sends no pack"));
        };
        refused(text, host)?;
        if boundary.note(text) {
            continue;
        }
        if text == "NAK" || text.starts_with("ACK ") {
            return Ok(boundary);
        }
        return Err(protocol(host, "it answers with an unknown line"));
    }
}

fn next(from: &mut impl Read, host: &str) -> Result<Option<Packet>, GitError> {
    packet::read(from).map_err(|error| wire(error, host))
}

/// What went wrong below.
fn wire(error: io::Error, host: &str) -> GitError {
    if error
        .get_ref()
        .is_some_and(|inner| inner.is::<svc_fetch::FetchError>())
        && let Some(inner) = error.into_inner()
        && let Ok(inner) = inner.downcast::<svc_fetch::FetchError>()
    {
        return GitError::Network(*inner);
    }
    protocol(host, "it breaks off, or sends something else")
}

/// A line with which a server refuses.
fn refused(text: &str, host: &str) -> Result<(), GitError> {
    let Some(message) = text.strip_prefix("ERR ") else {
        return Ok(());
    };
    Err(remote(message, host))
}

fn remote(message: &str, host: &str) -> GitError {
    GitError::Remote {
        host: host.to_owned(),
        message: crate::error::shown(message),
    }
}

pub(crate) fn protocol(host: &str, why: impl Into<String>) -> GitError {
    GitError::Protocol {
        host: host.to_owned(),
        why: why.into(),
    }
}

fn too_many() -> GitError {
    GitError::TooLarge {
        most: MOST_REFERENCES as u64,
        what: "branches and tags",
    }
}

/// The bytes of the pack out of the lines that carry them.
struct Pack<R> {
    from: R,
    piece: Vec<u8>,
    at: usize,
    left: u64,
    most: u64,
    end: Instant,
    done: bool,
    host: String,
    fault: Rc<RefCell<Option<GitError>>>,
}

impl<R: Read> Pack<R> {
    fn fail(&mut self, error: GitError) -> io::Error {
        let shown = error.to_string();
        self.fault.borrow_mut().get_or_insert(error);
        self.done = true;
        io::Error::other(shown)
    }

    fn advance(&mut self) -> Result<(), GitError> {
        if Instant::now() > self.end {
            return Err(GitError::TooSlow(0));
        }
        match next(&mut self.from, &self.host)? {
            Some(Packet::Flush | Packet::End) => self.done = true,
            Some(Packet::Data(data)) => match data.first() {
                Some(1) => {
                    self.left = match self.left.checked_sub(data.len() as u64) {
                        Some(left) => left,
                        None => {
                            return Err(GitError::TooLarge {
                                most: self.most,
                                what: "bytes to fetch",
                            });
                        }
                    };
                    self.piece = data;
                    self.at = 1;
                }
                Some(2) => {}
                Some(3) => {
                    let message = String::from_utf8_lossy(data.get(1..).unwrap_or_default());
                    return Err(remote(&message, &self.host));
                }
                // The older version repeats that it knows something.
                Some(b'A' | b'N') if self.left == self.most => {}
                _ => return Err(protocol(&self.host, "a line of its pack has no band")),
            },
            Some(Packet::Delimiter) => return Err(protocol(&self.host, "its pack breaks off")),
            None => return Err(protocol(&self.host, "its pack breaks off")),
        }
        Ok(())
    }
}

impl<R: Read> Read for Pack<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        while self.at >= self.piece.len() && !self.done {
            if let Err(error) = self.advance() {
                return Err(self.fail(error));
            }
        }
        let rest = self.piece.get(self.at..).unwrap_or_default();
        let length = rest.len().min(into.len());
        into[..length].copy_from_slice(&rest[..length]);
        self.at += length;
        Ok(length)
    }
}
