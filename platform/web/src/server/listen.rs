//! Takes connections and answers them, each within its limits.

use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::Extension;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpListener;
use tokio::sync::{mpsc, watch};
use tokio_rustls::TlsAcceptor;

use super::limits::ClientLimits;
use super::patience::PatientStream;
use super::routes::{Doors, Peer};

/// How long the head of a request may take.
const HEAD: Duration = Duration::from_secs(10);
/// How long the head of a request may be, and what waits in this process to be sent to one client.
const MOST_HEAD: usize = 16 * 1024;
/// How long a client may read nothing of what waits for it. A browser reads at once; one that does
/// not is asleep or gone, and comes back by itself.
const UNREAD: Duration = Duration::from_secs(30);
/// How long to wait after the system failed to give a connection.
const REST: Duration = Duration::from_millis(100);
/// How long what is being sent at the end may take.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// Answers until it is over, and lets connected clients receive what was sent to them.
pub(super) async fn serve(
    listener: std::net::TcpListener,
    tls: Option<TlsAcceptor>,
    doors: Arc<Doors>,
    router: Router,
    mut over: watch::Receiver<bool>,
) {
    let listener = match TcpListener::from_std(listener) {
        Ok(listener) => listener,
        Err(error) => return log::error!("the server cannot listen: {error}"),
    };
    let limits = Arc::new(ClientLimits::default());
    // Every connection holds a sender: when none is left, nothing comes.
    let (open, mut all_closed) = mpsc::channel::<()>(1);
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = until(&mut over) => break,
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
        let is_proxy = doors.proxies.contains(from.ip());
        let Some(admitted) = limits.admit(from.ip(), is_proxy) else { continue };
        // One that is gone already has no address.
        let Ok(own) = stream.local_addr() else { continue };
        // What is new is small, and is to be seen at once.
        let _slow = stream.set_nodelay(true);
        let stream = PatientStream::new(stream, UNREAD);
        let admitted = Arc::new(admitted);
        let (limits, open, over) = (Arc::clone(&limits), open.clone(), over.clone());
        let (address, came_to, doors) = (from.ip(), own.ip(), Arc::clone(&doors));
        let peer = Peer { address, came_to, doors, limits, admitted, open, over: over.clone() };
        let router = router.clone().layer(Extension(peer));
        let tls = tls.clone();
        tokio::spawn(async move {
            match tls {
                None => answer(stream, from, router, over).await,
                Some(tls) => match tokio::time::timeout(HEAD, tls.accept(stream)).await {
                    Ok(Ok(stream)) => answer(stream, from, router, over).await,
                    Ok(Err(error)) => log::debug!("connection from {from}: {error}"),
                    Err(_) => log::debug!("connection from {from}: no handshake"),
                },
            }
        });
    }
    drop((listener, open));
    let _some_are_slow = tokio::time::timeout(LAST_WORDS, all_closed.recv()).await;
}

/// Answers what is asked on a connection. A connection that goes on as a socket is counted by the
/// peer that its handler holds.
async fn answer<S>(stream: S, from: SocketAddr, router: Router, mut over: watch::Receiver<bool>)
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD)
        .max_buf_size(MOST_HEAD)
        .serve_connection(TokioIo::new(stream), TowerToHyperService::new(router))
        .with_upgrades();
    let mut connection = pin!(connection);
    let ended = tokio::select! {
        ended = connection.as_mut() => ended,
        () = until(&mut over) => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = ended {
        log::debug!("connection from {from}: {error}");
    }
}

pub(super) async fn until(over: &mut watch::Receiver<bool>) {
    // A server that is gone is over.
    let _over = over.wait_for(|over| *over).await;
}
