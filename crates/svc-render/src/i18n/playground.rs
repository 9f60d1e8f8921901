//! The words of the playground. They are loaded with it, so they are apart from the others.

/// All texts. `{}` in one is the place of a name.
#[derive(Debug, PartialEq, Eq, serde::Serialize)]
pub(crate) struct PlaygroundMessages {
    /// The button that sends the request.
    pub(crate) send: &'static str,
    /// The same, where something seems to be wrong.
    pub(crate) send_anyway: &'static str,
    /// The same, while the request is on its way; also ends other waiting.
    pub(crate) cancel: &'static str,
    /// While the request is on its way.
    pub(crate) sending: &'static str,
    /// While another server is asked.
    pub(crate) waiting: &'static str,
    /// The reader took the request back.
    pub(crate) cancelled: &'static str,
    /// There is no answer to show.
    pub(crate) not_sent: &'static str,
    /// Where the answer will stand.
    pub(crate) send_to_see: &'static str,
    /// A section: where requests go.
    pub(crate) server: &'static str,
    /// The menu of earlier requests.
    pub(crate) history: &'static str,
    /// An empty history.
    pub(crate) no_history: &'static str,
    /// The button that empties the history.
    pub(crate) clear_history: &'static str,
    /// The button that takes all values back.
    pub(crate) reset: &'static str,
    /// The button for a link that holds the values.
    pub(crate) copy_link: &'static str,
    /// The button that fills in this moment.
    pub(crate) now: &'static str,
    /// The field for a file.
    pub(crate) choose_file: &'static str,
    /// The button that adds an optional value; `{}` is its name.
    pub(crate) add: &'static str,
    /// The button that adds an entry to a list.
    pub(crate) add_item: &'static str,
    /// The button that adds a property with a name of the reader's.
    pub(crate) add_field: &'static str,
    /// The button that takes something away.
    pub(crate) remove: &'static str,
    /// The same; `{}` is its name.
    pub(crate) remove_name: &'static str,
    /// What is folded; `{}` is a number.
    pub(crate) more_fields: &'static str,
    /// The switch for `null`; `{}` is a name.
    pub(crate) send_null: &'static str,
    /// The switch for an empty value; `{}` is a name.
    pub(crate) send_empty: &'static str,
    /// The field for the name of a property.
    pub(crate) name: &'static str,
    /// The field for the value of a property.
    pub(crate) value: &'static str,
    /// The body as a form.
    pub(crate) form: &'static str,
    /// The body as a text.
    pub(crate) text: &'static str,
    /// The button that fills in an example.
    pub(crate) use_example: &'static str,
    /// The choice between media types.
    pub(crate) content_type: &'static str,
    /// The switch that shows a secret; `{}` is its name.
    pub(crate) show_secret: &'static str,
    /// A field of the authorization.
    pub(crate) token: &'static str,
    /// A field of the authorization.
    pub(crate) username: &'static str,
    /// A field of the authorization.
    pub(crate) password: &'static str,
    /// A field of OAuth.
    pub(crate) client_id: &'static str,
    /// A field of OAuth.
    pub(crate) client_secret: &'static str,
    /// The choice between flows of OAuth.
    pub(crate) flow: &'static str,
    /// What a token may do.
    pub(crate) scopes: &'static str,
    /// Before the address of the callback page.
    pub(crate) redirect_address: &'static str,
    /// The button that asks for a token.
    pub(crate) get_token: &'static str,
    /// A token arrived.
    pub(crate) token_there: &'static str,
    /// The same; `{}` is a time.
    pub(crate) token_until: &'static str,
    /// No token; `{}` is what that server says.
    pub(crate) token_refused: &'static str,
    /// No answer.
    pub(crate) token_unreachable: &'static str,
    /// No window.
    pub(crate) popup_blocked: &'static str,
    /// About mutual TLS.
    pub(crate) mutual_tls: &'static str,
    /// Where a key goes; `{}` is the name.
    pub(crate) in_header: &'static str,
    /// Where a key goes; `{}` is the name.
    pub(crate) in_query: &'static str,
    /// Where a key goes; `{}` is the name.
    pub(crate) in_cookie: &'static str,
    /// The switch that keeps secrets for longer than the tab.
    pub(crate) keep: &'static str,
    /// The button that deletes the secrets.
    pub(crate) forget: &'static str,
    /// The browser sent the request itself.
    pub(crate) way_direct: &'static str,
    /// The relay sent the request.
    pub(crate) way_relay: &'static str,
    /// No answer; `{}` is the reason.
    pub(crate) relay_refused: &'static str,
    /// No answer because of CORS; `{}` is the origin of this page.
    pub(crate) cors: &'static str,
    /// How to call the API all the same.
    pub(crate) cors_else: &'static str,
    /// No answer; `{}` is the server.
    pub(crate) unreachable: &'static str,
    /// No answer.
    pub(crate) mixed: &'static str,
    /// Not sent.
    pub(crate) bad_header: &'static str,
    /// What was left out.
    pub(crate) headers_left: &'static str,
    /// Above parameters that are not sent.
    pub(crate) not_from_pages: &'static str,
    /// An empty answer.
    pub(crate) no_body: &'static str,
    /// A large answer; `{}` is a size.
    pub(crate) only_first: &'static str,
    /// The button that saves the answer.
    pub(crate) download: &'static str,
    /// What the check found; `{}` is a number.
    pub(crate) wrong_count: &'static str,
    /// Something is wrong with a value.
    pub(crate) wrong_value: &'static str,
    /// Something is missing.
    pub(crate) wrong_required: &'static str,
    /// A value of another type; `{}` are types.
    pub(crate) wrong_type: &'static str,
    /// A value that is not allowed.
    pub(crate) wrong_enum: &'static str,
    /// A text in another form; `{}` is a pattern.
    pub(crate) wrong_pattern: &'static str,
    /// A small number; `{}` is the limit.
    pub(crate) wrong_minimum: &'static str,
    /// A large number; `{}` is the limit.
    pub(crate) wrong_maximum: &'static str,
    /// A short text; `{}` is the limit.
    pub(crate) wrong_length_min: &'static str,
    /// A long text; `{}` is the limit.
    pub(crate) wrong_length_max: &'static str,
    /// A short list; `{}` is the limit.
    pub(crate) wrong_items_min: &'static str,
    /// A long list; `{}` is the limit.
    pub(crate) wrong_items_max: &'static str,
    /// A text in another form; `{}` is its name.
    pub(crate) wrong_format: &'static str,
    /// A text that cannot be read.
    pub(crate) wrong_json: &'static str,
}
