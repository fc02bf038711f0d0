//! Why there is no connection, in plain words.

use std::{fmt, io};

use thiserror::Error;

use crate::tls::TlsError;

/// Why there is no connection, or none any more.
#[derive(Debug, Error)]
pub enum ConnectionError {
    /// The address is none.
    #[error("{0}")]
    Address(String),
    /// The server cannot be reached.
    #[error("{server}: cannot be reached: {}", Unreached(cause))]
    Unreachable { server: String, cause: io::Error },
    /// It is no server of tables.
    #[error("{server}: this is no server of tables (`tengen serve --play`): {problem}")]
    NoTables {
        server: String,
        /// What it did.
        problem: String,
    },
    /// The server refused the client.
    #[error("{server}: {message}")]
    Refused { server: String, code: String, message: String },
    /// The certificate cannot be checked.
    #[error(transparent)]
    Tls(#[from] TlsError),
    /// It was there, and broke.
    #[error("{0}")]
    Lost(String),
}

impl ConnectionError {
    /// Whether another try would fail as well.
    pub fn is_final(&self) -> bool {
        match self {
            ConnectionError::Address(_) | ConnectionError::Tls(_) => true,
            // What may be otherwise in a moment.
            ConnectionError::Refused { code, .. } => {
                !matches!(code.as_str(), "server" | "too_fast" | "too_many")
            }
            ConnectionError::Unreachable { .. }
            | ConnectionError::NoTables { .. }
            | ConnectionError::Lost(_) => false,
        }
    }
}

/// What is wrong with a certificate, in plain words.
fn certificate_problem(error: &rustls::CertificateError) -> &'static str {
    use rustls::CertificateError as Wrong;
    match error {
        Wrong::Expired | Wrong::ExpiredContext { .. } => "has expired",
        Wrong::NotValidYet | Wrong::NotValidYetContext { .. } => "is not valid yet",
        Wrong::NotValidForName | Wrong::NotValidForNameContext { .. } => "is for another name",
        Wrong::Revoked => "was revoked",
        Wrong::BadEncoding => "cannot be read",
        _ => "is signed by no known authority",
    }
}

/// Why a server cannot be reached, in plain words.
struct Unreached<'a>(&'a io::Error);

impl fmt::Display for Unreached<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Unreached(error) = self;
        match error.get_ref().and_then(|inner| inner.downcast_ref::<rustls::Error>()) {
            Some(rustls::Error::InvalidMessage(_)) => {
                return f.write_str("it does not encrypt there; try http:// in place of https://");
            }
            Some(rustls::Error::InvalidCertificate(problem)) => {
                let problem = certificate_problem(problem);
                return write!(
                    f,
                    "its certificate {problem}; if it is the owner's own, name its file (--tls-ca, \
                     or `Certificate` in the window)"
                );
            }
            _ => {}
        }
        match error.kind() {
            io::ErrorKind::ConnectionRefused => {
                f.write_str("nothing listens there; is the server running, and the port right?")
            }
            io::ErrorKind::TimedOut => f.write_str("it does not answer"),
            io::ErrorKind::HostUnreachable | io::ErrorKind::NetworkUnreachable => {
                f.write_str("no network leads there from here")
            }
            _ if error.to_string().contains("lookup address") => {
                f.write_str("no computer of that name is known here; is it spelled right?")
            }
            _ => write!(f, "{error}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrong_with_a_certificate_is_said_in_words() {
        use rustls::{CertificateError, Error};
        let said =
            |wrong| Unreached(&io::Error::other(Error::InvalidCertificate(wrong))).to_string();
        assert!(said(CertificateError::Expired).starts_with("its certificate has expired"));
        let other = said(CertificateError::UnhandledCriticalExtension);
        assert!(other.contains("no known authority") && !other.contains("Unhandled"), "{other}");
    }
}
