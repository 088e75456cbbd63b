//! A server of nothing but hyper: the files of a directory from memory, for comparison with gitglot and nginx.
//!
//! `bare_server FOLDER WORKERS` prints its address. `benches/serving/run.py --bare PROGRAM` starts it.

use std::collections::HashMap;
use std::convert::Infallible;
use std::io::Write as _;
use std::path::Path;
use std::sync::Arc;

use anyhow::Context;
use http_body_util::Full;
use hyper::body::{Bytes, Incoming};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use tokio::net::TcpListener;

/// The content of each file, by path.
type Files = HashMap<String, Bytes>;

fn main() -> anyhow::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().context("no folder was given")?;
    let workers = arguments.next().context("no number of workers was given")?;
    let mut files = Files::new();
    read(Path::new(&folder), "", &mut files)?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(workers.parse()?)
        .enable_io()
        .build()?;
    runtime.block_on(serve(Arc::new(files)))
}

fn read(folder: &Path, path: &str, files: &mut Files) -> anyhow::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let path = format!("{path}/{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            read(&entry.path(), &path, files)?;
        } else {
            files.insert(path, std::fs::read(entry.path())?.into());
        }
    }
    Ok(())
}

async fn serve(files: Arc<Files>) -> anyhow::Result<()> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    println!("listening on http://{}", listener.local_addr()?);
    std::io::stdout().flush()?;
    loop {
        let (stream, _) = listener.accept().await?;
        stream.set_nodelay(true)?;
        let files = files.clone();
        tokio::spawn(async move {
            let service = service_fn(|request| {
                let response = response(&files, &request);
                async move { Ok::<_, Infallible>(response) }
            });
            // Clients end connections as they like.
            let _ = http1::Builder::new()
                .serve_connection(TokioIo::new(stream), service)
                .await;
        });
    }
}

fn response(files: &Files, request: &Request<Incoming>) -> Response<Full<Bytes>> {
    let found = files.get(request.uri().path());
    let mut response = Response::new(Full::new(found.cloned().unwrap_or_default()));
    if found.is_none() {
        *response.status_mut() = hyper::StatusCode::NOT_FOUND;
    }
    response
}
