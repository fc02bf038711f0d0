//! Encrypted connections: certificates and their keys, for the server and for clients.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustls::client::WebPkiServerVerifier;
use rustls::crypto::CryptoProvider;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ClientConfig, RootCertStore, ServerConfig};
use thiserror::Error;
use tokio_rustls::TlsAcceptor;

use crate::trust::TrustedCertificates;

/// Why connections cannot be encrypted.
#[derive(Debug, Error)]
pub enum TlsError {
    /// A file is no PEM file of that kind.
    #[error("{}: cannot be read as {what} in PEM: {problem}", path.display())]
    File {
        path: PathBuf,
        /// What it should hold.
        what: &'static str,
        /// What is wrong with it.
        problem: String,
    },
    /// The key does not belong to the certificate, or one of them cannot be used.
    #[error(
        "{} and {}: the certificate and the key do not fit: {problem}", certificate.display(),
        key.display()
    )]
    Misfit { certificate: PathBuf, key: PathBuf, problem: rustls::Error },
    /// The system trusts no authority, and none was named.
    #[error("this system has no certificates of authorities; name one with --tls-ca FILE")]
    NoAuthorities,
    /// No encryption is possible at all.
    #[error("encryption: {0}")]
    Setup(#[from] rustls::Error),
}

/// Where all encryption comes from.
fn provider() -> Arc<CryptoProvider> {
    Arc::new(rustls::crypto::ring::default_provider())
}

/// What encrypts the connections of a server, and its own certificate.
pub fn acceptor(
    certificate: &Path,
    key: &Path,
) -> Result<(TlsAcceptor, Option<CertificateDer<'static>>), TlsError> {
    let chain = certificates(certificate)?;
    let own = chain.first().cloned();
    let private = PrivateKeyDer::from_pem_file(key).map_err(|error| TlsError::File {
        path: key.to_owned(),
        what: "a private key",
        problem: error.to_string(),
    })?;
    let config = ServerConfig::builder_with_provider(provider())
        .with_safe_default_protocol_versions()?
        .with_no_client_auth()
        .with_single_cert(chain, private)
        .map_err(|problem| TlsError::Misfit {
            certificate: certificate.to_owned(),
            key: key.to_owned(),
            problem,
        })?;
    Ok((TlsAcceptor::from(Arc::new(config)), own))
}

/// What a client trusts: what the system trusts, and the authority or the server's own
/// certificate of that file.
pub fn client_config(authority: Option<&Path>) -> Result<Arc<ClientConfig>, TlsError> {
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    let named = authority.map(certificates).transpose()?.unwrap_or_default();
    roots.add_parsable_certificates(named.iter().cloned());
    if roots.is_empty() {
        return Err(TlsError::NoAuthorities);
    }
    let signed = WebPkiServerVerifier::builder_with_provider(Arc::new(roots), provider());
    let signed = signed.build().map_err(|error| rustls::Error::General(error.to_string()))?;
    let config = ClientConfig::builder_with_provider(provider())
        .with_safe_default_protocol_versions()?
        .dangerous()
        .with_custom_certificate_verifier(Arc::new(TrustedCertificates { signed, named }))
        .with_no_client_auth();
    Ok(Arc::new(config))
}

fn certificates(path: &Path) -> Result<Vec<CertificateDer<'static>>, TlsError> {
    let unreadable =
        |problem: String| TlsError::File { path: path.to_owned(), what: "a certificate", problem };
    let read: Result<Vec<_>, _> = CertificateDer::pem_file_iter(path)
        .map_err(|error| unreadable(error.to_string()))?
        .collect();
    let read = read.map_err(|error| unreadable(error.to_string()))?;
    if read.is_empty() {
        return Err(unreadable("it holds none".to_owned()));
    }
    Ok(read)
}
