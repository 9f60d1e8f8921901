//! The first message of a Git server, and the references in it.

use std::io::Read;

use gix::ObjectId;

use crate::GitError;
use crate::packet::{self, Packet};

/// Maximum number of references of a repository.
pub(crate) const MAX_REFERENCES: usize = 2_000_000;
pub(crate) const AGENT: &str = concat!("agent=svc/", env!("CARGO_PKG_VERSION"));

/// The first message of a server.
#[derive(Debug, Default)]
pub(crate) struct Advertisement {
    /// Whether the server uses version 2.
    pub(crate) is_v2: bool,
    /// Capabilities of the server.
    pub(crate) capabilities: Vec<String>,
    /// All references; only in version 0.
    pub(crate) references: Vec<Reference>,
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

impl Advertisement {
    /// Reads the advertisement of a server.
    pub(crate) fn read(from: &mut impl Read, host: &str) -> Result<Self, GitError> {
        let mut advertisement = Self::default();
        let mut first = true;
        loop {
            let Some(packet) = packet::read_from_host(from, host)? else {
                if first {
                    return Err(GitError::protocol(host, "the response is empty"));
                }
                return Err(GitError::protocol(host, "the response is incomplete"));
            };
            let text = match &packet {
                // The service header of the HTTP transport precedes the list.
                Packet::Flush if first => continue,
                Packet::Flush => return Ok(advertisement),
                Packet::Data(_) => packet.text(),
                Packet::Delimiter | Packet::End => None,
            };
            let Some(text) = text else {
                return Err(GitError::protocol(host, "a line is not UTF-8"));
            };
            packet::check_err_line(text, host)?;
            if first && text.starts_with("# service=") {
                continue;
            }
            match text {
                "version 2" if first => advertisement.is_v2 = true,
                "version 1" if first => continue,
                _ if advertisement.is_v2 => advertisement.capabilities.push(text.to_owned()),
                _ => advertisement.parse_v0_line(text, host)?,
            }
            first = false;
            if advertisement
                .references
                .len()
                .max(advertisement.capabilities.len())
                > MAX_REFERENCES
            {
                return Err(too_many_references());
            }
        }
    }

    /// Parses a line of version 0: an object id, a name and, in the first line, the capabilities.
    fn parse_v0_line(&mut self, text: &str, host: &str) -> Result<(), GitError> {
        let (text, capabilities) = text.split_once('\0').unwrap_or((text, ""));
        let more = capabilities.split(' ').filter(|text| !text.is_empty());
        self.capabilities.extend(more.map(str::to_owned));
        if text.starts_with("shallow ") {
            return Ok(());
        }
        let parsed = text.split_once(' ').and_then(|(id, name)| {
            let id = ObjectId::from_hex(id.as_bytes()).ok()?;
            Some((id, name))
        });
        let Some((id, name)) = parsed else {
            return Err(GitError::protocol(
                host,
                "the list of references is malformed",
            ));
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
    pub(crate) fn supports(&self, capability: &str) -> bool {
        if !self.is_v2 {
            return self.capabilities.iter().any(|name| name == capability);
        }
        let fetch = self
            .capabilities
            .iter()
            .find_map(|name| name.strip_prefix("fetch="));
        fetch.is_some_and(|features| features.split(' ').any(|name| name == capability))
    }

    /// Whether objects can be fetched that no reference points to.
    pub(crate) fn allows_any_object(&self) -> bool {
        self.is_v2
            || self.supports("allow-reachable-sha1-in-want")
            || self.supports("allow-any-sha1-in-want")
    }

    /// Begins a request of version 2.
    pub(crate) fn command(&self, name: &str) -> Vec<u8> {
        let mut body = Vec::new();
        packet::line(&mut body, &format!("command={name}"));
        if self
            .capabilities
            .iter()
            .any(|capability| capability.starts_with("agent="))
        {
            packet::line(&mut body, AGENT);
        }
        if self
            .capabilities
            .iter()
            .any(|capability| capability == "object-format=sha1")
        {
            packet::line(&mut body, "object-format=sha1");
        }
        packet::delimiter(&mut body);
        body
    }
}

pub(crate) fn too_many_references() -> GitError {
    GitError::TooLarge {
        max: MAX_REFERENCES as u64,
        what: "branches and tags",
    }
}
