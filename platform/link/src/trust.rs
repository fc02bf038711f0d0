//! Which certificates a client trusts.

use std::sync::Arc;

use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::client::{WebPkiServerVerifier, verify_server_name};
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::server::ParsedCertificate;
use rustls::{CertificateError, DigitallySignedStruct, Error, SignatureScheme};

/// Trusts what authorities have signed, and a certificate that the user has named himself.
///
/// A certificate that signed itself is often marked as an authority (`openssl req -x509` does so),
/// and as such it may not stand for a server (RFC 5280, 4.2.1.9). Where it is one of those named,
/// there is nothing that an authority could add.
#[derive(Debug)]
pub(crate) struct TrustedCertificates {
    /// Those that authorities have signed.
    pub signed: Arc<WebPkiServerVerifier>,
    /// Those that were named.
    pub named: Vec<CertificateDer<'static>>,
}

impl ServerCertVerifier for TrustedCertificates {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        server_name: &ServerName<'_>,
        ocsp_response: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        let signed = &self.signed;
        match signed.verify_server_cert(end_entity, intermediates, server_name, ocsp_response, now)
        {
            // Its dates were checked before its marks; its name was not.
            Err(Error::InvalidCertificate(CertificateError::Other(_)))
                if self.named.contains(end_entity) =>
            {
                verify_server_name(&ParsedCertificate::try_from(end_entity)?, server_name)?;
                Ok(ServerCertVerified::assertion())
            }
            verified => verified,
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.signed.verify_tls12_signature(message, cert, dss)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.signed.verify_tls13_signature(message, cert, dss)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.signed.supported_verify_schemes()
    }
}
