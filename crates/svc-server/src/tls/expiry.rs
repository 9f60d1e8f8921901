//! The validity of a certificate, and its end.

use std::time::{Duration, SystemTime};

use der::asn1::{AnyRef, GeneralizedTime, UtcTime};
use der::{Decode as _, Reader as _, SliceReader, Tag};

const DAY: Duration = Duration::from_secs(86_400);

/// How close the end of a certificate is. Each value but the first one is logged once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum ExpiryStage {
    /// More than 14 days.
    Distant,
    /// At most 14 days, and a quarter of its lifetime.
    Soon,
    /// At most 3 days, and a quarter of its lifetime.
    Imminent,
    /// The certificate is no longer valid.
    Expired,
}

/// When a certificate is valid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Validity {
    pub(super) start: SystemTime,
    pub(super) end: SystemTime,
}

impl Validity {
    /// How long the certificate is valid.
    pub(super) fn lifetime(self) -> Duration {
        self.end.duration_since(self.start).unwrap_or_default()
    }
}

impl ExpiryStage {
    /// The stage of a certificate.
    pub(super) fn at(now: SystemTime, validity: Validity) -> Self {
        match validity.end.duration_since(now) {
            Err(_) | Ok(Duration::ZERO) => Self::Expired,
            // Certificates of a few days are renewed a day or two before their end.
            Ok(left) if left > validity.lifetime() / 4 => Self::Distant,
            Ok(left) if left <= 3 * DAY => Self::Imminent,
            Ok(left) if left <= 14 * DAY => Self::Soon,
            Ok(_) => Self::Distant,
        }
    }
}

/// Days until `expiry`, rounded up.
pub(super) fn days_until(now: SystemTime, expiry: SystemTime) -> usize {
    let left = expiry.duration_since(now).unwrap_or_default();
    usize::try_from(left.as_secs().div_ceil(DAY.as_secs())).unwrap_or(usize::MAX)
}

/// Validity of a certificate in DER; `None` if it does not have the format of RFC 5280.
pub(super) fn validity_of(certificate: &[u8]) -> Option<Validity> {
    read_validity(certificate).ok()
}

/// `notBefore` and `notAfter` (RFC 5280, section 4.1).
fn read_validity(certificate: &[u8]) -> Result<Validity, der::Error> {
    let certificate = AnyRef::from_der(certificate)?;
    let mut parts = SliceReader::new(certificate.value())?;
    let body: AnyRef<'_> = parts.decode()?;
    let mut fields = SliceReader::new(body.value())?;
    // Certificates of version 1 do not have the version.
    if matches!(Tag::peek(&fields)?, Tag::ContextSpecific { .. }) {
        fields.tlv_bytes()?;
    }
    let _serial_number = fields.tlv_bytes()?;
    let _signature_algorithm = fields.tlv_bytes()?;
    let _issuer = fields.tlv_bytes()?;
    let validity: AnyRef<'_> = fields.decode()?;
    let mut times = SliceReader::new(validity.value())?;
    Ok(Validity {
        start: read_time(&mut times)?,
        end: read_time(&mut times)?,
    })
}

fn read_time(times: &mut SliceReader<'_>) -> Result<SystemTime, der::Error> {
    Ok(match Tag::peek(times)? {
        Tag::UtcTime => times.decode::<UtcTime>()?.to_system_time(),
        _ => times.decode::<GeneralizedTime>()?.to_system_time(),
    })
}

#[cfg(test)]
mod tests {
    use svc_test_support::tls::TestCertificate;

    use super::super::certificate_from_pem;
    use super::*;

    fn at(seconds: u64) -> SystemTime {
        SystemTime::UNIX_EPOCH + Duration::from_secs(seconds)
    }

    #[test]
    fn the_end_of_a_certificate_is_read() {
        // UTCTime is used until 2049, and GeneralizedTime from 2050 on.
        for end in [1_000_000_000, 2_000_000_001, 4_000_000_000] {
            let made = TestCertificate::expiring(&["a.example"], at(end));
            let read = certificate_from_pem(&made.chain, &made.key).unwrap();
            let der = &read.cert[0];
            let start = at(157_766_400);
            assert_eq!(
                validity_of(der),
                Some(Validity {
                    start,
                    end: at(end)
                })
            );
            for length in 0..der.len() {
                assert_eq!(validity_of(&der[..length]), None, "{length}");
            }
        }
    }

    #[test]
    fn stages_begin_14_and_3_days_before_the_end() {
        let end = 100 * 86_400;
        let validity = |start| Validity {
            start: at(start),
            end: at(end),
        };
        let stage = |left: u64| ExpiryStage::at(at(end - left), validity(0));
        assert_eq!(stage(14 * 86_400 + 1), ExpiryStage::Distant);
        assert_eq!(stage(14 * 86_400), ExpiryStage::Soon);
        assert_eq!(stage(3 * 86_400 + 1), ExpiryStage::Soon);
        assert_eq!(stage(3 * 86_400), ExpiryStage::Imminent);
        assert_eq!(stage(1), ExpiryStage::Imminent);
        assert_eq!(stage(0), ExpiryStage::Expired);
        assert_eq!(
            ExpiryStage::at(at(end + 1), validity(0)),
            ExpiryStage::Expired
        );
        // One of six days.
        let short = |left: u64| ExpiryStage::at(at(end - left), validity(end - 6 * 86_400));
        assert_eq!(short(6 * 86_400), ExpiryStage::Distant);
        assert_eq!(short(86_400 * 3 / 2 + 1), ExpiryStage::Distant);
        assert_eq!(short(86_400 * 3 / 2), ExpiryStage::Imminent);
        assert_eq!(short(0), ExpiryStage::Expired);
        assert_eq!(days_until(at(end - 86_401), at(end)), 2);
        assert_eq!(days_until(at(end - 1), at(end)), 1);
        assert_eq!(days_until(at(end + 1), at(end)), 0);
    }
}
