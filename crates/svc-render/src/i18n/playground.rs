//! Messages of the playground, which are loaded together with it and therefore separate.

/// Messages of the playground in one language. `{}` is a placeholder.
#[derive(Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PlaygroundMessages {
    /// Button that sends the request.
    pub(crate) send: &'static str,
    /// Button that sends the request despite validation errors.
    pub(crate) send_anyway: &'static str,
    /// Button that cancels the request or an authorization.
    pub(crate) cancel: &'static str,
    /// Status while the request is in flight.
    pub(crate) sending: &'static str,
    /// Status while waiting for another server.
    pub(crate) waiting: &'static str,
    /// Status after the reader canceled the request.
    pub(crate) cancelled: &'static str,
    /// There is no response to show.
    pub(crate) not_sent: &'static str,
    /// Placeholder of the response.
    pub(crate) send_to_see: &'static str,
    /// Heading of the server section.
    pub(crate) server: &'static str,
    /// Menu of earlier requests.
    pub(crate) history: &'static str,
    /// Text of an empty history.
    pub(crate) no_history: &'static str,
    /// Button that clears the history.
    pub(crate) clear_history: &'static str,
    /// Button that resets all values.
    pub(crate) reset: &'static str,
    /// Button that copies a link with the values.
    pub(crate) copy_link: &'static str,
    /// Button that fills in the current time.
    pub(crate) now: &'static str,
    /// Label of a file field.
    pub(crate) choose_file: &'static str,
    /// Button that adds an optional value; `{}` is its name.
    pub(crate) add: &'static str,
    /// Button that adds an item to a list.
    pub(crate) add_item: &'static str,
    /// Button that adds a property with a custom name.
    pub(crate) add_field: &'static str,
    /// Button that removes a value.
    pub(crate) remove: &'static str,
    /// Button that removes a value; `{}` is its name.
    pub(crate) remove_name: &'static str,
    /// Title of collapsed fields; `{}` is their number.
    pub(crate) more_fields: &'static str,
    /// Switch that sends `null`; `{}` is the name of the value.
    pub(crate) send_null: &'static str,
    /// Switch that sends an empty value; `{}` is the name of the value.
    pub(crate) send_empty: &'static str,
    /// Label of the name of a property.
    pub(crate) name: &'static str,
    /// Label of the value of a property.
    pub(crate) value: &'static str,
    /// Option to edit the body as a form.
    pub(crate) form: &'static str,
    /// Option to edit the body as text.
    pub(crate) text: &'static str,
    /// Button that fills in an example.
    pub(crate) use_example: &'static str,
    /// Label of the selection of a media type.
    pub(crate) content_type: &'static str,
    /// Switch that shows a secret; `{}` is its name.
    pub(crate) show_secret: &'static str,
    /// Label of a credential.
    pub(crate) token: &'static str,
    /// Label of a credential.
    pub(crate) username: &'static str,
    /// Label of a credential.
    pub(crate) password: &'static str,
    /// Label of an OAuth field.
    pub(crate) client_id: &'static str,
    /// Label of an OAuth field.
    pub(crate) client_secret: &'static str,
    /// Label of the selection of an OAuth flow.
    pub(crate) flow: &'static str,
    /// Label of the scopes of a token.
    pub(crate) scopes: &'static str,
    /// Text before the redirect URI.
    pub(crate) redirect_address: &'static str,
    /// Button that requests a token.
    pub(crate) get_token: &'static str,
    /// Status after receiving a token.
    pub(crate) token_there: &'static str,
    /// Status after receiving a token; `{}` is its expiry.
    pub(crate) token_until: &'static str,
    /// The authorization server rejected the request; `{}` is its message.
    pub(crate) token_refused: &'static str,
    /// The authorization server did not respond.
    pub(crate) token_unreachable: &'static str,
    /// The browser blocked the window.
    pub(crate) popup_blocked: &'static str,
    /// Note about mutual TLS.
    pub(crate) mutual_tls: &'static str,
    /// Location of an API key; `{}` is its name.
    pub(crate) in_header: &'static str,
    /// Location of an API key; `{}` is its name.
    pub(crate) in_query: &'static str,
    /// Location of an API key; `{}` is its name.
    pub(crate) in_cookie: &'static str,
    /// Switch that stores secrets beyond the session of the tab.
    pub(crate) keep: &'static str,
    /// Button that deletes the secrets.
    pub(crate) forget: &'static str,
    /// The browser sent the request itself.
    pub(crate) way_direct: &'static str,
    /// The relay sent the request.
    pub(crate) way_relay: &'static str,
    /// The relay rejected the request; `{}` is the reason.
    pub(crate) relay_refused: &'static str,
    /// CORS blocked the response; `{}` is the origin of this page.
    pub(crate) cors: &'static str,
    /// How to call the API despite CORS.
    pub(crate) cors_else: &'static str,
    /// The server did not respond; `{}` is the server.
    pub(crate) unreachable: &'static str,
    /// The browser blocked mixed content.
    pub(crate) mixed: &'static str,
    /// A header is invalid, so the request was not sent.
    pub(crate) bad_header: &'static str,
    /// Headers that were omitted.
    pub(crate) headers_left: &'static str,
    /// Heading of parameters that pages cannot send.
    pub(crate) not_from_pages: &'static str,
    /// The response has no body.
    pub(crate) no_body: &'static str,
    /// The response is truncated; `{}` is the size of the shown part.
    pub(crate) only_first: &'static str,
    /// Button that downloads the response.
    pub(crate) download: &'static str,
    /// Result of the validation; `{}` is the number of errors.
    pub(crate) wrong_count: &'static str,
    /// The value is invalid.
    pub(crate) wrong_value: &'static str,
    /// A required value is missing.
    pub(crate) wrong_required: &'static str,
    /// The value has another type; `{}` are the allowed types.
    pub(crate) wrong_type: &'static str,
    /// The value is not in the enumeration.
    pub(crate) wrong_enum: &'static str,
    /// The text does not match the pattern `{}`.
    pub(crate) wrong_pattern: &'static str,
    /// The number is below the minimum `{}`.
    pub(crate) wrong_minimum: &'static str,
    /// The number exceeds the maximum `{}`.
    pub(crate) wrong_maximum: &'static str,
    /// The text is shorter than `{}`.
    pub(crate) wrong_length_min: &'static str,
    /// The text is longer than `{}`.
    pub(crate) wrong_length_max: &'static str,
    /// The list has fewer items than `{}`.
    pub(crate) wrong_items_min: &'static str,
    /// The list has more items than `{}`.
    pub(crate) wrong_items_max: &'static str,
    /// The text does not have the format `{}`.
    pub(crate) wrong_format: &'static str,
    /// The text is not valid JSON.
    pub(crate) wrong_json: &'static str,
}
