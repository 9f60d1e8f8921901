//! OpenAPI documents to a catalogue of operations, webhooks and schemas.
