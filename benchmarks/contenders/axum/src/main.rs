use std::net::{Ipv4Addr, SocketAddr};
use std::sync::LazyLock;

use axum::extract::{Path, Query};
use axum::http::header::{self, HeaderName};
use axum::response::{AppendHeaders, IntoResponse, Response};
use axum::routing::{get, post};
use axum::serve::ListenerExt;
use axum::{Json, Router};
use axum_server::tls_rustls::RustlsConfig;
use serde::{Deserialize, Serialize};
use tokio::net::{TcpListener, TcpSocket};
use tokio::runtime::{Builder, Runtime};
use tower_http::services::ServeDir;

#[derive(Deserialize)]
struct Params {
    id: Option<String>,
}

#[derive(Serialize)]
struct Answer {
    name: String,
    id: Option<String>,
}

#[derive(Deserialize)]
struct Order {
    name: String,
    id: Option<String>,
    tags: Vec<String>,
}

#[derive(Serialize)]
struct Made {
    name: String,
    id: Option<String>,
    tags: usize,
}

static LARGE: LazyLock<String> =
    LazyLock::new(|| format!("{}end\n", "wire ".repeat(12)).repeat(1024));

/// hyper says by itself that a connection closes, and not that it stays: what
/// the others say is said here, so that all answers have the same.
fn with_fields<const CLOSING: bool>(answer: impl IntoResponse) -> Response {
    let powered_by = (HeaderName::from_static("x-powered-by"), "benchmark");
    if CLOSING {
        return (AppendHeaders([powered_by]), answer).into_response();
    }
    let headers = [
        powered_by,
        (header::CONNECTION, "keep-alive"),
        (HeaderName::from_static("keep-alive"), "timeout=5"),
    ];
    (AppendHeaders(headers), answer).into_response()
}

async fn bench<const CLOSING: bool>(
    Path(name): Path<String>,
    Query(params): Query<Params>,
) -> Response {
    let body = serde_json::to_vec(&Answer { name, id: params.id }).expect("strings serialize");
    // The body's own content type is replaced, not added to.
    with_fields::<CLOSING>(([(header::CONTENT_TYPE, "application/json")], body))
}

async fn documented<const CLOSING: bool>(
    Path(name): Path<String>,
    Query(params): Query<Params>,
) -> Response {
    with_fields::<CLOSING>(Json(Answer { name, id: params.id }))
}

async fn create<const CLOSING: bool>(Json(order): Json<Order>) -> Response {
    let Order { name, id, tags } = order;
    with_fields::<CLOSING>(Json(Made { name, id, tags: tags.len() }))
}

async fn large<const CLOSING: bool>() -> Response {
    with_fields::<CLOSING>(([(header::CONTENT_TYPE, "text/plain")], LARGE.as_str()))
}

fn is_set(variable: &str) -> bool {
    std::env::var_os(variable).is_some()
}

fn routes<const CLOSING: bool>() -> Router {
    let answer = if is_set("DOCUMENTED") {
        get(documented::<CLOSING>)
    } else {
        get(bench::<CLOSING>)
    };
    let router = Router::new()
        .route("/bench/{name}", answer)
        .route("/bench", post(create::<CLOSING>))
        .route("/large", get(large::<CLOSING>));
    match std::env::var_os("FILES") {
        Some(folder) => router.nest_service("/files", ServeDir::new(folder)),
        None => router,
    }
}

fn number_from(variable: &str, otherwise: usize) -> usize {
    std::env::var(variable)
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(otherwise)
}

/// Several runtimes on one port have a socket each, and the kernel deals out
/// connections.
async fn listen(port: u16, is_shared: bool) -> std::io::Result<TcpListener> {
    let socket = TcpSocket::new_v4()?;
    socket.set_reuseaddr(true)?;
    if is_shared {
        socket.set_reuseport(true)?;
    }
    socket.bind(SocketAddr::from((Ipv4Addr::UNSPECIFIED, port)))?;
    socket.listen(1024)
}

async fn serve(listener: TcpListener) {
    let app = if is_set("CLOSING") {
        routes::<true>()
    } else {
        routes::<false>()
    };
    if let (Ok(key), Ok(certificate)) = (std::env::var("TLS_KEY"), std::env::var("TLS_CERT")) {
        let config = RustlsConfig::from_pem_file(certificate, key)
            .await
            .expect("a key and its certificate");
        let listener = listener.into_std().expect("a listener");
        axum_server::from_tcp_rustls(listener, config)
            .expect("a listener")
            .serve(app.into_make_service())
            .await
            .expect("the server runs until it is ended");
        return;
    }
    // Nagle's algorithm stays on, as it is by default, unless we are told.
    let no_delay = is_set("NO_DELAY");
    let listener = listener.tap_io(move |connection| {
        if no_delay {
            connection.set_nodelay(true).expect("an open connection");
        }
    });
    axum::serve(listener, app)
        .await
        .expect("the server runs until it is ended");
}

/// Each serves on its own thread, and has no other.
fn single_threaded(count: usize) -> Vec<Runtime> {
    (0..count)
        .map(|_| Builder::new_current_thread().enable_all().build().expect("a runtime"))
        .collect()
}

fn main() {
    let port = number_from("PORT", 3000) as u16;
    let workers = number_from("WORKERS", 1);
    if std::env::var("SCHEDULER").is_ok_and(|name| name == "current_thread") {
        let runtimes = single_threaded(workers);
        let mut servers = Vec::new();
        for runtime in runtimes {
            let listener = runtime.block_on(listen(port, workers > 1)).expect("a free port");
            servers.push((runtime, listener));
        }
        println!("listening on http://localhost:{port}");
        // The last serves on the main thread, or that would be one more.
        let (last, listener) = servers.pop().expect("a worker at least");
        for (runtime, listener) in servers {
            std::thread::spawn(move || runtime.block_on(serve(listener)));
        }
        last.block_on(serve(listener));
        return;
    }
    let runtime = Builder::new_multi_thread()
        .worker_threads(workers)
        .enable_all()
        .build()
        .expect("a runtime");
    let listener = runtime.block_on(listen(port, false)).expect("a free port");
    println!("listening on http://localhost:{port}");
    // On a worker, not on the main thread, which would be one more.
    runtime
        .block_on(runtime.spawn(serve(listener)))
        .expect("the server ends with the process");
}
