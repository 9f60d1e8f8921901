//! Requests and responses.

/// Direction of a value: `readOnly` properties are left out of requests, `writeOnly` ones of
/// responses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Direction {
    /// Values of requests.
    Request,
    /// Values of responses.
    Response,
}
