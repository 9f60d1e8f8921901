//! The URL of a preview for other devices of the network.

use std::net::{IpAddr, Ipv4Addr, UdpSocket};

use qrcode::render::unicode::Dense1x2;
use qrcode::{EcLevel, QrCode};

/// An address for documentation (RFC 5737), which no machine has.
const ELSEWHERE: (Ipv4Addr, u16) = (Ipv4Addr::new(192, 0, 2, 1), 9);

/// Address of this machine in its network; `None` without a network. Nothing is sent.
pub(super) fn network_addr() -> Option<IpAddr> {
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).ok()?;
    socket.connect(ELSEWHERE).ok()?;
    let addr = socket.local_addr().ok()?.ip();
    (!addr.is_loopback() && !addr.is_unspecified()).then_some(addr)
}

/// A QR code for a terminal, dark on light; `None` if the text is too long.
pub(super) fn qr_code(text: &str) -> Option<String> {
    let code = QrCode::with_error_correction_level(text, EcLevel::L).ok()?;
    let image = code
        .render::<Dense1x2>()
        // Most terminals are dark: the characters are the light parts.
        .dark_color(Dense1x2::Light)
        .light_color(Dense1x2::Dark)
        .build();
    Some(image)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_a_square_with_a_margin() {
        let code = qr_code("http://192.168.1.20:3000").unwrap();
        let lines: Vec<&str> = code.lines().collect();
        let width = lines[0].chars().count();
        assert!(lines.iter().all(|line| line.chars().count() == width));
        assert!(
            lines.len().abs_diff(width / 2) <= 1,
            "{} {width}",
            lines.len()
        );
        assert!(lines[0].chars().all(|c| c == '█'), "{code}");
    }
}
