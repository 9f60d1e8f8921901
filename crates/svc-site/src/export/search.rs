//! The search of an exported site: the shards of its index, which a script searches.

use std::io;
use std::sync::Arc;

use svc_search::Document;

use super::ContentEncoding;
use super::compress::compress;
use super::writer::Writer;
use crate::Site;

/// Directory of the index.
const DIR: &str = "_svc/search";

/// Writes the index. All files except `meta.bin` are in a directory of their version, so that a
/// page that is open during a deployment never mixes two indexes, and browsers can cache them.
pub(super) fn write_index(site: &Site, writer: &Writer<'_>) -> io::Result<()> {
    let index;
    let index = match &writer.relative {
        None => site.search_index(),
        Some(relative) => {
            let documents = site.search_documents().into_iter().map(|page| {
                let path = format!("/{}", relative.file(&page.path));
                let page = Arc::unwrap_or_clone(page);
                Arc::new(Document { path, ..page })
            });
            index = site.index(documents.collect());
            &index
        }
    };
    let shards = index.shards();
    let version = shards.first().and_then(|shard| shard.bytes.get(..4));
    let version = version.unwrap_or_default().iter();
    let version: String = version.map(|byte| format!("{byte:02x}")).collect();
    for shard in &shards {
        let path = match shard.name.as_str() {
            "meta" => format!("{DIR}/meta.bin"),
            name => format!("{DIR}/{version}/{name}.bin"),
        };
        let bytes = compress(&shard.bytes, ContentEncoding::Gzip)?;
        writer.binary_for_scripts(&path, &bytes)?;
    }
    Ok(())
}
