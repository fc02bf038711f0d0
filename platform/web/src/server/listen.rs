//! Takes connections and answers them, each within its limits.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::Extension;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpListener;
use tokio::sync::Notify;
use tokio_rustls::TlsAcceptor;

use super::limits::Limits;
use super::routes::Peer;

/// How long the head of a request may take.
const HEAD: Duration = Duration::from_secs(10);
/// How long the head of a request may be.
const MOST_HEAD: usize = 16 * 1024;
/// How long nothing is taken after the system could give no connection.
const REST: Duration = Duration::from_millis(100);

/// Answers until it is told to stop.
pub(super) async fn serve(
    listener: std::net::TcpListener,
    tls: Option<TlsAcceptor>,
    router: Router,
    stop: Arc<Notify>,
) {
    let listener = match TcpListener::from_std(listener) {
        Ok(listener) => listener,
        Err(error) => return log::error!("the server cannot listen: {error}"),
    };
    let limits = Arc::new(Limits::default());
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = stop.notified() => return,
        };
        let (stream, from) = match accepted {
            Ok(accepted) => accepted,
            Err(error) => {
                // Too many open files, or a connection that was gone before it was taken.
                log::debug!("no connection: {error}");
                tokio::time::sleep(REST).await;
                continue;
            }
        };
        let Some(admitted) = limits.admit(from.ip()) else { continue };
        // What is new is small, and is to be seen at once.
        let _slow = stream.set_nodelay(true);
        let admitted = Arc::new(admitted);
        let peer = Peer { address: from.ip(), limits: Arc::clone(&limits), admitted };
        let router = router.clone().layer(Extension(peer));
        let tls = tls.clone();
        tokio::spawn(async move {
            match tls {
                None => answer(stream, from, router).await,
                Some(tls) => match tokio::time::timeout(HEAD, tls.accept(stream)).await {
                    Ok(Ok(stream)) => answer(stream, from, router).await,
                    Ok(Err(error)) => log::debug!("connection from {from}: {error}"),
                    Err(_) => log::debug!("connection from {from}: no handshake"),
                },
            }
        });
    }
}

/// Answers what is asked on a connection. A connection that goes on as a socket is counted by the
/// peer that its handler holds.
async fn answer<S>(stream: S, from: SocketAddr, router: Router)
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD)
        .max_buf_size(MOST_HEAD)
        .serve_connection(TokioIo::new(stream), TowerToHyperService::new(router))
        .with_upgrades();
    if let Err(error) = connection.await {
        log::debug!("connection from {from}: {error}");
    }
}
