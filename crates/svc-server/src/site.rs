//! Responds to requests for a site: maps a path to a resource and the resource to a response.

use std::sync::Arc;

use http::StatusCode;
use http::header;
use http::request::Parts;
use hyper::body::Bytes;
use svc_site::{
    Asset, AssetContent, CompressedBytes, DiscoveryFile, GeneratedFile, GeneratedImage, ImageError,
    PageOutput, Resource, Site, Variant, VariantContent,
};

use crate::changes;
use crate::document_policy;
use crate::encoding::{EncodedBytes, cached_encoding, copy, encode, etag, plain, plain_bytes};
use crate::file::FilePart;
use crate::image_queue;
use crate::mcp;
use crate::negotiate::{self, ContentEncoding};
use crate::not_found::not_found;
use crate::page_head::{self, HAS_MCP};
use crate::path;
use crate::reply::{self, Content, Entity, Response};
use crate::response_cache::FromMemory;
use crate::search;
use crate::service::{Peer, Reply};
use crate::speculation;
use crate::start_page;

/// Fingerprint in the query of an asset URL.
fn version_of(parts: &Parts) -> Option<&str> {
    parts.uri.query()?.strip_prefix("v=")
}

/// Path of a request relative to the base path of a site.
fn path_in(site: &Site, parts: &Parts) -> Option<String> {
    let path = path::normalize(parts.uri.path())?;
    below(&path, site.base_path()).map(str::to_owned)
}

/// Whether a request names the current fingerprint of a file of the site.
pub(crate) fn is_immutable(site: &Site, parts: &Parts) -> bool {
    let Some(version) = version_of(parts) else {
        return false;
    };
    let path = path_in(site, parts);
    path.is_some_and(|path| site.fingerprint(&path) == Some(version))
}

/// Whether a request names a variant of an image of the site.
pub(crate) fn has_variant(site: &Site, parts: &Parts) -> bool {
    let path = path_in(site, parts);
    path.is_some_and(|path| site.variant(&path).is_some())
}

/// `Cache-Control` of resources that never change at their URL.
const IMMUTABLE: &str = "public, max-age=31536000, immutable";

/// Path of the health check, at the root of the host and below the base path.
pub(crate) const HEALTH: &str = "/_svc/health";

/// Policy of the OAuth callback page, which contains a single script.
const CALLBACK_POLICY: &str =
    "default-src 'none'; script-src 'self'; base-uri 'none'; frame-ancestors 'none'";
/// The response of a site.
pub(crate) fn respond(site: &Arc<Site>, parts: &Parts) -> Reply {
    let raw = parts.uri.path();
    let Some(path) = path::normalize(raw) else {
        return Reply::Ready(reply::plain(
            StatusCode::BAD_REQUEST,
            "The URL is malformed.",
        ));
    };
    if path == HEALTH {
        return Reply::Ready(health(site, parts));
    }
    let Some(path) = below(&path, site.base_path()) else {
        if path == "/" {
            let to = with_query(&site.href("/"), parts);
            return Reply::Ready(reply::redirect(StatusCode::TEMPORARY_REDIRECT, &to));
        }
        return not_found(site, path, parts);
    };
    // A proxy may forward only the base path.
    if path == HEALTH {
        return Reply::Ready(health(site, parts));
    }
    if let Some(name) = path.strip_prefix("/_svc/assets/") {
        return program_asset(site, name, parts);
    }
    if let Some(name) = path.strip_prefix("/_svc/islands/") {
        return island_module(site, name, parts);
    }
    if path == svc_site::CALLBACK_PATH {
        return callback_page(site, parts);
    }
    if path == speculation::PATH {
        return Reply::Ready(speculation_rules(site, parts));
    }
    if path == search::PATH {
        return search::results(site, parts);
    }
    if path == mcp::SETUP_PATH {
        return mcp::page(site, parts);
    }
    if path == mcp::PATH && mcp::wants_stream(&parts.headers) {
        return Reply::Ready(mcp::method_not_allowed());
    }
    if let Some(reply) = changes::respond(site, path, parts) {
        return reply;
    }
    let resource = site.find(path);
    // Only paths of existing resources have a canonical form.
    if !matches!(resource, Resource::NotFound | Resource::Redirect { .. })
        && let Some(location) = canonical_redirect(site, raw, path, parts)
    {
        return Reply::Ready(reply::redirect(StatusCode::PERMANENT_REDIRECT, &location));
    }
    if !start_page::is_negotiated(site, path, parts) {
        return representation(site, path, resource, parts);
    }
    match start_page::target(site, parts) {
        Some(to) => Reply::Ready(start_page::redirect(&with_query(&to, parts))),
        None => start_page::marked(representation(site, path, resource, parts)),
    }
}

/// The response with a resource.
fn representation(site: &Arc<Site>, path: &str, resource: Resource<'_>, parts: &Parts) -> Reply {
    match resource {
        Resource::Page(route) | Resource::Markdown(route)
            if matches!(resource, Resource::Markdown(_))
                || negotiate::prefers_markdown(&parts.headers) =>
        {
            markdown(site, &route.path, parts)
        }
        Resource::Page(route) | Resource::Markdown(route) => page(site, &route.path, parts),
        Resource::Asset(asset) => repository_asset(site, path, &asset, parts),
        Resource::PlaygroundSpec(route) => playground_spec(site, &route.path, parts),
        Resource::Feed(route) => feed(site, &route.path, parts),
        Resource::Image(image) => image_file(site, path, &image, parts),
        Resource::Variant(variant) => variant_file(site, path, &variant, parts),
        Resource::SchemaFragment(_) => schema_fragment(site, path, parts),
        Resource::Generated(machine) => generated_file(site, machine, parts),
        Resource::SectionFile(_) => section_file(site, path, parts),
        Resource::Discovery(file) => discovery_file(site, file, parts),
        Resource::ApiText(_) => api_text(site, path, parts),
        Resource::Redirect { to, status } => {
            let status = StatusCode::from_u16(status).unwrap_or(StatusCode::PERMANENT_REDIRECT);
            Reply::Ready(reply::redirect(status, &with_query(&to, parts)))
        }
        Resource::NotFound if path == search::PAGE_PATH => search::page(site, parts),
        Resource::NotFound if path == mcp::PATH => mcp::page(site, parts),
        Resource::NotFound => mcp::discovery_file(site, path, parts)
            .map_or_else(|| not_found(site, path.to_owned(), parts), Reply::Ready),
    }
}

/// The path relative to the base path.
pub(crate) fn below<'a>(path: &'a str, base: &str) -> Option<&'a str> {
    let rest = path.strip_prefix(base)?;
    match rest {
        "" => Some("/"),
        rest if rest.starts_with('/') => Some(rest),
        _ => None,
    }
}

/// Target of a redirect if the path has an unwanted trailing slash or repeated slashes.
fn canonical_redirect(site: &Site, raw: &str, path: &str, parts: &Parts) -> Option<String> {
    let at_end = raw.len() > 1 && raw.ends_with('/');
    let is_base = path == "/" && !site.base_path().is_empty();
    // `seo.trailingSlash` requests URLs with a trailing slash.
    let slash = site.config.seo.trailing_slash == Some(true)
        && matches!(site.find(path), Resource::Page(_));
    let odd = raw.contains("//") || (at_end && !is_base && !slash);
    odd.then(|| with_query(&path::encode(&format!("{}{path}", site.base_path())), parts))
}

fn with_query(to: &str, parts: &Parts) -> String {
    match parts.uri.query() {
        Some(query) if !to.contains('?') => match to.split_once('#') {
            Some((to, fragment)) => format!("{to}?{query}#{fragment}"),
            None => format!("{to}?{query}"),
        },
        _ => to.to_owned(),
    }
}

fn health(site: &Site, parts: &Parts) -> Response {
    let text = serde_json::json!({ "status": "ok", "pages": site.map.routes.len() });
    Entity::new(
        Content::Bytes(Bytes::from(text.to_string())),
        "application/json",
    )
    .with(header::CACHE_CONTROL, "no-store")
    .into_response(parts)
}

fn page(site: &Arc<Site>, path: &str, parts: &Parts) -> Reply {
    if let Some(page) = site.cached_page(path)
        && let Some(bytes) = cached_encoding(&page.html, &parts.headers)
    {
        let mut response = page_response(site, path, page, bytes, parts);
        response.extensions_mut().insert(FromMemory);
        return Reply::Ready(response);
    }
    let (site, path, parts) = (Arc::clone(site), path.to_owned(), copy(parts));
    Reply::Blocking(Box::new(move || {
        let Some(page) = site.page(&path) else {
            return reply::plain(StatusCode::NOT_FOUND, "Page not found.");
        };
        let bytes = encode(&page.html, &parts.headers);
        page_response(&site, &path, &page, bytes, &parts)
    }))
}

fn page_response(
    site: &Site,
    path: &str,
    page: &PageOutput,
    form: EncodedBytes,
    parts: &Parts,
) -> Response {
    let route = site.map.route(path);
    let plain = route.map(|route| site.plain_origins(route));
    let headers = page_head::headers(site, page, &plain.unwrap_or_default());
    let mut entity = form
        .entity_with(headers)
        .with(header::LINK, page_head::links(site, path));
    if page.broken {
        entity.status = StatusCode::INTERNAL_SERVER_ERROR;
    }
    entity.into_response(parts)
}

/// Speculation rules of the site.
fn speculation_rules(site: &Site, parts: &Parts) -> Response {
    let rules = speculation::rules(site.base_path());
    Entity::new(
        Content::Bytes(Bytes::from(rules)),
        speculation::CONTENT_TYPE,
    )
    .with(header::CACHE_CONTROL, "public, max-age=3600")
    .into_response(parts)
}

/// Page to which authorization servers redirect readers of the playground.
fn callback_page(site: &Site, parts: &Parts) -> Reply {
    let Some(packed) = site.compressed_callback_page() else {
        return Reply::Ready(reply::plain(StatusCode::NOT_FOUND, "Page not found."));
    };
    Reply::Ready(
        encode(&packed, &parts.headers)
            .entity("text/html; charset=utf-8", "Accept-Encoding")
            .with(header::CACHE_CONTROL, "no-store")
            .with(header::REFERRER_POLICY, "no-referrer")
            .with(header::CONTENT_SECURITY_POLICY, CALLBACK_POLICY)
            .into_response(parts),
    )
}

fn markdown(site: &Arc<Site>, path: &str, parts: &Parts) -> Reply {
    let (site, path, parts) = (Arc::clone(site), path.to_owned(), copy(parts));
    Reply::Blocking(Box::new(move || {
        let route = site.map.route(&path);
        let origin = origin(&parts);
        let packed = route.and_then(|route| site.compressed_markdown(route, &origin));
        let (Some(route), Some(packed)) = (route, packed) else {
            return reply::plain(StatusCode::NOT_FOUND, "Page not found.");
        };
        let canonical = format!("<{}>; rel=\"canonical\"", site.page_url(route, &origin));
        encode(&packed, &parts.headers)
            .entity(
                "text/markdown; charset=utf-8",
                "Accept-Encoding, Accept, Host",
            )
            .with(header::CACHE_CONTROL, "no-cache")
            .with(header::LINK, canonical)
            .with(header::HeaderName::from_static("x-robots-tag"), "noindex")
            .into_response(&parts)
    }))
}

fn feed(site: &Arc<Site>, path: &str, parts: &Parts) -> Reply {
    let (site, path, parts) = (Arc::clone(site), path.to_owned(), copy(parts));
    Reply::Blocking(Box::new(move || {
        let route = site.map.route(&path);
        let Some(packed) = route.and_then(|route| site.compressed_feed(route, &origin(&parts)))
        else {
            return reply::plain(StatusCode::NOT_FOUND, "Page not found.");
        };
        encode(&packed, &parts.headers)
            .entity(
                "application/rss+xml; charset=utf-8",
                "Accept-Encoding, Host",
            )
            .with(header::CACHE_CONTROL, "no-cache")
            .into_response(&parts)
    }))
}

/// Specification of the endpoint of a page for the playground.
fn playground_spec(site: &Arc<Site>, path: &str, parts: &Parts) -> Reply {
    let (site, path, parts) = (Arc::clone(site), path.to_owned(), copy(parts));
    Reply::Blocking(Box::new(move || {
        let route = site.map.route(&path);
        let Some(packed) = route.and_then(|route| site.cached_playground_spec(route)) else {
            return reply::plain(StatusCode::NOT_FOUND, "This page documents no endpoint.");
        };
        encode(&packed, &parts.headers)
            .entity("application/json", "Accept-Encoding")
            .with(header::CACHE_CONTROL, "no-cache")
            .with(header::HeaderName::from_static("x-robots-tag"), "noindex")
            .into_response(&parts)
    }))
}

fn generated_file(site: &Arc<Site>, machine: GeneratedFile, parts: &Parts) -> Reply {
    let (site, parts) = (Arc::clone(site), copy(parts));
    Reply::Blocking(Box::new(move || {
        let packed = site.generated_file(machine, &origin(&parts));
        let form = encode(&packed, &parts.headers);
        if machine == GeneratedFile::Schema {
            // Also read by editors that run on other origins.
            return form
                .entity(machine.content_type(), "Accept-Encoding")
                .with(header::CACHE_CONTROL, "public, max-age=3600")
                .with(header::ACCESS_CONTROL_ALLOW_ORIGIN, "*")
                .into_response(&parts);
        }
        form.entity(machine.content_type(), "Accept-Encoding, Host")
            .with(header::CACHE_CONTROL, "no-cache")
            .into_response(&parts)
    }))
}

/// A list or full text of a section for language models.
fn section_file(site: &Arc<Site>, path: &str, parts: &Parts) -> Reply {
    let (site, path, parts) = (Arc::clone(site), path.to_owned(), copy(parts));
    Reply::Blocking(Box::new(move || {
        let Resource::SectionFile(file) = site.find(&path) else {
            return reply::plain(StatusCode::NOT_FOUND, "Section not found.");
        };
        encode(&site.section_file(&file, &origin(&parts)), &parts.headers)
            .entity(GeneratedFile::Llms.content_type(), "Accept-Encoding, Host")
            .with(header::CACHE_CONTROL, "no-cache")
            .into_response(&parts)
    }))
}

/// A generated file for discovery.
fn discovery_file(site: &Arc<Site>, file: DiscoveryFile, parts: &Parts) -> Reply {
    let (site, parts) = (Arc::clone(site), copy(parts));
    Reply::Blocking(Box::new(move || {
        let Some(packed) = site.discovery_file(&file, &origin(&parts), HAS_MCP) else {
            return reply::plain(StatusCode::NOT_FOUND, "File not found.");
        };
        let mut entity = encode(&packed, &parts.headers)
            .entity(file.content_type(), "Accept-Encoding, Host")
            .with(header::CACHE_CONTROL, "no-cache");
        if file.is_shared() {
            entity = entity.with(header::ACCESS_CONTROL_ALLOW_ORIGIN, "*");
        }
        if file == DiscoveryFile::ApiCatalog {
            // RFC 9727, section 3: also in responses to HEAD.
            let own = format!(
                "<{}>; rel=\"api-catalog\"",
                site.href("/.well-known/api-catalog")
            );
            entity = entity.with(header::LINK, own);
        }
        entity.into_response(&parts)
    }))
}

/// An OpenAPI document as text for language models.
fn api_text(site: &Arc<Site>, path: &str, parts: &Parts) -> Reply {
    let (site, path, parts) = (Arc::clone(site), path.to_owned(), copy(parts));
    Reply::Blocking(Box::new(move || {
        let Resource::ApiText(text) = site.find(&path) else {
            return reply::plain(StatusCode::NOT_FOUND, "Page not found.");
        };
        encode(text, &parts.headers)
            .entity("text/markdown; charset=utf-8", "Accept-Encoding")
            .with(header::CACHE_CONTROL, "no-cache")
            .with(header::HeaderName::from_static("x-robots-tag"), "noindex")
            .into_response(&parts)
    }))
}

/// Origin of the request. Behind a proxy that terminates TLS and is not trusted the scheme is a
/// guess; a canonical URL in `docs.json` takes precedence.
pub(crate) fn origin(parts: &Parts) -> String {
    let authority = parts
        .headers
        .get(header::HOST)
        .and_then(|host| host.to_str().ok());
    let host = parts
        .uri
        .authority()
        .map(http::uri::Authority::as_str)
        .or(authority)
        .unwrap_or("localhost");
    let peer = parts.extensions.get::<Peer>();
    let scheme = match peer.is_some_and(|peer| peer.is_encrypted) {
        true => "https",
        false => parts.uri.scheme_str().unwrap_or("http"),
    };
    format!("{scheme}://{}", host.to_ascii_lowercase())
}

/// A fragment of a schema.
fn schema_fragment(site: &Arc<Site>, path: &str, parts: &Parts) -> Reply {
    let (site, path, parts) = (Arc::clone(site), path.to_owned(), copy(parts));
    Reply::Blocking(Box::new(move || {
        let Some(part) = site.render_schema_fragment(&path) else {
            return reply::plain(StatusCode::NOT_FOUND, "Schema not found.");
        };
        encode(&part.html, &parts.headers)
            .entity("text/html; charset=utf-8", "Accept-Encoding")
            .with(header::CACHE_CONTROL, "no-cache")
            .with(
                header::CONTENT_SECURITY_POLICY,
                document_policy::of_page(&[], &[], &[]),
            )
            .with(header::HeaderName::from_static("x-robots-tag"), "noindex")
            .into_response(&parts)
    }))
}

/// An asset of this program; its name contains its hash.
fn program_asset(site: &Arc<Site>, name: &str, parts: &Parts) -> Reply {
    let Some(asset) = svc_site::program_assets()
        .iter()
        .find(|asset| asset.name == name)
    else {
        return not_found(site, format!("/_svc/assets/{name}"), parts);
    };
    let Some(packed) = compressed_asset(name) else {
        return not_found(site, format!("/_svc/assets/{name}"), parts);
    };
    let response = |form: EncodedBytes, parts: &Parts| {
        form.entity(asset.content_type, "Accept-Encoding")
            .with(header::CACHE_CONTROL, IMMUTABLE)
            .into_response(parts)
    };
    // Fonts are already compressed.
    if asset.content_type.starts_with("font/") {
        return Reply::Ready(response(plain(packed), parts));
    }
    if let Some(form) = cached_encoding(packed, &parts.headers) {
        return Reply::Ready(response(form, parts));
    }
    let parts = copy(parts);
    Reply::Blocking(Box::new(move || {
        response(encode(packed, &parts.headers), &parts)
    }))
}

/// Script of a component; its name contains its hash.
fn island_module(site: &Arc<Site>, name: &str, parts: &Parts) -> Reply {
    let (site, name, parts) = (Arc::clone(site), name.to_owned(), copy(parts));
    Reply::Blocking(Box::new(move || match site.compressed_module(&name) {
        Some(packed) => encode(&packed, &parts.headers)
            .entity("text/javascript; charset=utf-8", "Accept-Encoding")
            .with(header::CACHE_CONTROL, IMMUTABLE)
            .into_response(&parts),
        None => reply::plain(StatusCode::NOT_FOUND, "Script not found."),
    }))
}

/// Cache of the compressed assets of the program, which are constants.
fn compressed_asset(name: &str) -> Option<&'static CompressedBytes> {
    static COMPRESSED: std::sync::OnceLock<Vec<CompressedBytes>> = std::sync::OnceLock::new();
    let assets = svc_site::program_assets();
    let packed = COMPRESSED.get_or_init(|| {
        assets
            .iter()
            .map(|asset| CompressedBytes::new(&*asset.content))
            .collect()
    });
    packed.get(assets.iter().position(|asset| asset.name == name)?)
}

fn repository_asset(site: &Arc<Site>, path: &str, asset: &Asset<'_>, parts: &Parts) -> Reply {
    let content_type = asset.content_type;
    let (site, path, parts) = (Arc::clone(site), path.to_owned(), copy(parts));
    Reply::Blocking(Box::new(move || {
        let Some(mut entity) = asset_entity(&site, &path, &parts) else {
            return reply::plain(StatusCode::NOT_FOUND, "File not found.");
        };
        entity.ranges = true;
        let mut entity = entity
            .with(
                header::CACHE_CONTROL,
                if is_immutable(&site, &parts) {
                    IMMUTABLE
                } else {
                    "no-cache"
                },
            )
            .with(header::HeaderName::from_static("x-robots-tag"), "noindex");
        if let Some(policy) = document_policy::of_file(content_type) {
            entity = entity.with(header::CONTENT_SECURITY_POLICY, policy);
        }
        entity.into_response(&parts)
    }))
}

/// A file of the repository without cache headers.
fn asset_entity(site: &Site, path: &str, parts: &Parts) -> Option<Entity> {
    let asset = site.asset(path)?;
    match asset.content {
        AssetContent::Disk { path, .. } => disk(path, asset.content_type).ok(),
        _ => {
            let packed = site.compressed_asset(path)?;
            Some(memory(&packed, asset.content_type, parts))
        }
    }
}

/// A variant of an image under a unique name. If it cannot be created now, the image itself is
/// sent.
fn variant_file(site: &Arc<Site>, path: &str, variant: &Variant<'_>, parts: &Parts) -> Reply {
    if let Some(VariantContent::Smaller(bytes)) = site.recent_variant(variant) {
        return Reply::Ready(variant_response(variant, bytes, parts));
    }
    let (site, path, parts) = (Arc::clone(site), path.to_owned(), copy(parts));
    Reply::Variant(Box::new(move |turn| {
        let missing = || reply::plain(StatusCode::NOT_FOUND, "Image not found.");
        // It was looked up in the same site before, so it exists.
        let Some(variant) = site.variant(&path) else {
            return missing();
        };
        let content = match turn {
            true => site.make_variant(&variant).ok(),
            false => site.stored_variant(&variant),
        };
        let lasting = content.is_some();
        if let Some(VariantContent::Smaller(bytes)) = content {
            return variant_response(&variant, bytes, &parts);
        }
        let Some(entity) = asset_entity(&site, &variant.original(), &parts) else {
            return missing();
        };
        // The image is sent at the URL of its variant, possibly only for now.
        let cached = match lasting {
            true => "public, max-age=3600",
            false => "public, max-age=60",
        };
        entity
            .with(header::CACHE_CONTROL, cached)
            .with(header::HeaderName::from_static("x-robots-tag"), "noindex")
            .into_response(&parts)
    }))
}

fn variant_response(variant: &Variant<'_>, bytes: Arc<[u8]>, parts: &Parts) -> Response {
    let content = Content::Bytes(Bytes::from_owner(bytes));
    let mut entity = Entity::new(content, variant.content_type())
        .with(header::CACHE_CONTROL, IMMUTABLE)
        .with(header::HeaderName::from_static("x-robots-tag"), "noindex");
    entity.validators.etag = Some(format!("\"{}\"", variant.name()));
    entity.into_response(parts)
}

/// An image that the site generates; its name can contain a hash of its inputs.
fn image_file(site: &Arc<Site>, path: &str, image: &GeneratedImage<'_>, parts: &Parts) -> Reply {
    let (content_type, lasting) = (image.content_type(), image.is_immutable());
    let (site, path, parts) = (Arc::clone(site), path.to_owned(), copy(parts));
    Reply::Image(Box::new(move || {
        let missing = ImageError::Failed;
        let image = site.image(&path).ok_or(missing);
        let rendered = match image.and_then(|image| site.render_image(&image)) {
            Ok(rendered) => rendered,
            Err(ImageError::Busy) => return image_queue::busy(),
            Err(ImageError::Failed) => {
                return reply::plain(StatusCode::NOT_FOUND, "Image not found.");
            }
        };
        let mut entity = Entity::new(Content::Bytes(plain_bytes(&rendered)), content_type)
            .with(
                header::CACHE_CONTROL,
                if lasting {
                    IMMUTABLE
                } else {
                    "public, max-age=3600"
                },
            )
            // Other sites show the image in link previews.
            .with(
                header::HeaderName::from_static("cross-origin-resource-policy"),
                "cross-origin",
            );
        entity.validators.etag = Some(etag(&rendered, ContentEncoding::Identity));
        if let Some(policy) = document_policy::of_file(content_type) {
            entity = entity.with(header::CONTENT_SECURITY_POLICY, policy);
        }
        entity.into_response(&parts)
    }))
}

fn memory(packed: &CompressedBytes, content_type: &str, parts: &Parts) -> Entity {
    // A range of a compressed representation is not useful.
    let form = match parts.headers.contains_key(header::RANGE) {
        true => plain(packed),
        false => encode(packed, &parts.headers),
    };
    form.entity(content_type, "Accept-Encoding")
}

fn disk(path: &std::path::Path, content_type: &str) -> std::io::Result<Entity> {
    let file = FilePart::open(path)?;
    let (length, modified) = (file.remaining(), file.modified());
    let since = modified.and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
    let mut entity = Entity::new(Content::File(file), content_type);
    let nanos = since.map_or(0, |since| since.as_nanos());
    entity.validators.etag = Some(format!("\"{length:x}-{nanos:x}\""));
    entity.validators.modified = modified;
    Ok(entity)
}
