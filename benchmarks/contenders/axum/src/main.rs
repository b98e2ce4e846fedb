use std::net::{Ipv4Addr, SocketAddr};

use axum::extract::{Path, Query};
use axum::http::header::{self, HeaderName};
use axum::response::{AppendHeaders, IntoResponse};
use axum::routing::get;
use axum::serve::ListenerExt;
use axum::Router;
use serde::{Deserialize, Serialize};

#[derive(Deserialize)]
struct Params {
    id: Option<String>,
}

#[derive(Serialize)]
struct Answer {
    name: String,
    id: Option<String>,
}

async fn bench(Path(name): Path<String>, Query(params): Query<Params>) -> impl IntoResponse {
    let body = serde_json::to_vec(&Answer { name, id: params.id }).expect("strings serialize");
    let headers = [
        (HeaderName::from_static("x-powered-by"), "benchmark"),
        (header::CONNECTION, "keep-alive"),
        (HeaderName::from_static("keep-alive"), "timeout=5"),
    ];
    // The body's own content type is replaced, not added to.
    ([(header::CONTENT_TYPE, "application/json")], AppendHeaders(headers), body)
}

async fn serve(port: u16) {
    let app = Router::new().route("/bench/{name}", get(bench));
    let address = SocketAddr::from((Ipv4Addr::UNSPECIFIED, port));
    let listener = tokio::net::TcpListener::bind(address).await.expect("a free port");
    let port = listener.local_addr().expect("an address").port();
    println!("listening on http://localhost:{port}");
    // Nagle's algorithm stays on, as it is by default, unless we are told.
    let no_delay = std::env::var_os("NO_DELAY").is_some();
    let listener = listener.tap_io(move |connection| {
        if no_delay {
            connection.set_nodelay(true).expect("an open connection");
        }
    });
    axum::serve(listener, app).await.expect("the server runs until it is ended");
}

fn number_from(variable: &str, otherwise: usize) -> usize {
    std::env::var(variable)
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(otherwise)
}

fn main() {
    let port = number_from("PORT", 3000) as u16;
    if std::env::var("SCHEDULER").is_ok_and(|name| name == "current_thread") {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .expect("a runtime");
        runtime.block_on(serve(port));
        return;
    }
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(number_from("WORKERS", 1))
        .enable_all()
        .build()
        .expect("a runtime");
    // On a worker, not on the main thread, which would be one more.
    runtime
        .block_on(runtime.spawn(serve(port)))
        .expect("the server ends with the process");
}
