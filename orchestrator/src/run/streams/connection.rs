//! The tasks that read and write the sockets of connections.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Bytes;
use interlock_algorithm::NodeId;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{mpsc, watch};
use tokio::time::sleep;

use super::links::Door;
use super::pieces::{Course, Opened, Room};
use super::{Allowance, End, LARGEST_PIECE, Piece};
use crate::run::Run;

/// Pause after a connection could not be accepted.
const AFTER_AN_ERROR: Duration = Duration::from_millis(10);

/// Accepts the connections of `client` to `service`, which listens at `address`, until the run ends. Without a
/// listener, the link refuses connections at first.
pub async fn serve(
    run: Arc<Run>,
    (client, service): (NodeId, NodeId),
    (door, mut listener): (Door, Option<TcpListener>),
    address: SocketAddr,
) {
    let mut changes = run.with(|core| core.streams.changes());
    // The network may have changed since the listener was opened.
    changes.mark_changed();
    loop {
        let accepted = tokio::select! {
            accepted = accept(listener.as_ref()) => accepted,
            alive = changes.changed() => {
                if alive.is_err() {
                    return;
                }
                let refuses = run.with(|core| core.refuses(client, service));
                listener = if refuses { None } else { listener.or_else(|| door.listen().ok()) };
                continue;
            }
        };
        let Ok((socket, _)) = accepted else {
            // If the process has no file descriptor left, each further attempt fails at once until others are closed.
            sleep(AFTER_AN_ERROR).await;
            continue;
        };
        if let Some(opened) = run.with(|core| core.open_stream(client, service)) {
            let run = Arc::clone(&run);
            run.hub.clone().spawn(carry(run, opened, socket, address));
        } else {
            let _ = socket.set_zero_linger();
        }
    }
}

async fn accept(listener: Option<&TcpListener>) -> std::io::Result<(TcpStream, SocketAddr)> {
    match listener {
        Some(listener) => listener.accept().await,
        None => std::future::pending().await,
    }
}

/// One end of a connection: its socket, and what stops the tasks that use the socket.
#[derive(Clone)]
struct Stand {
    run: Arc<Run>,
    connection: u64,
    end: End,
    course: watch::Sender<Course>,
    /// Changes of the network.
    changes: watch::Receiver<()>,
}

impl Stand {
    fn send(&self, piece: Piece) -> Option<Allowance> {
        self.run.with(|core| core.send_piece(self.connection, self.end, piece))
    }

    fn break_off(&self) {
        self.course.send_replace(Course::Broken);
    }

    /// Waits until the tasks must not read further.
    async fn stopped(&self) {
        // The sender is in `self`, so the channel does not close.
        let _ = self.course.subscribe().wait_for(|course| *course != Course::Open).await;
    }

    async fn broken(&self) {
        let _ = self.course.subscribe().wait_for(|course| *course == Course::Broken).await;
    }
}

/// Carries the pieces of one connection, until both of its ends are closed.
async fn carry(run: Arc<Run>, opened: Opened, socket: TcpStream, address: SocketAddr) {
    let Opened { connection, for_client, for_service, rooms, courses, allowances } = opened;
    let ([to_client, to_service], [of_client, of_service]) = (rooms, allowances);
    let mut changes = run.with(|core| core.streams.changes());
    // The network may have changed since the connection was opened.
    changes.mark_changed();
    let stand = |end, course| Stand { run: Arc::clone(&run), connection, end, course, changes: changes.clone() };
    let [at_client, at_service] = courses;
    let (client, service) = (stand(End::Client, at_client), stand(End::Service, at_service));
    let _ = socket.set_nodelay(true);
    let (reading, writing) = socket.into_split();
    tokio::join!(
        read(client.clone(), reading, &to_service, of_client),
        write(client, writing, for_client, &to_client),
        reach(service, for_service, address, (&to_client, of_service), &to_service),
    );
}

/// Connects to the service as soon as the opening of the connection arrives, and then reads and writes.
async fn reach(
    stand: Stand,
    mut pieces: mpsc::UnboundedReceiver<Piece>,
    address: SocketAddr,
    (to_client, allowance): (&Room, Allowance),
    to_service: &Room,
) {
    let connected = match pieces.recv().await {
        Some(piece @ Piece::Open) => {
            to_service.free(&piece);
            TcpStream::connect(address).await.ok()
        }
        _ => None,
    };
    let Some(socket) = connected else {
        stand.send(Piece::Reset);
        return stand.run.with(|core| core.stream_closed(stand.connection, stand.end));
    };
    let _ = socket.set_nodelay(true);
    let (reading, writing) = socket.into_split();
    tokio::join!(read(stand.clone(), reading, to_client, allowance), write(stand, writing, pieces, to_service));
}

/// Reads what the process at one end sends. Stops reading while too much is on its way, and reads no faster than the
/// faults of the link allow.
async fn read(stand: Stand, mut socket: OwnedReadHalf, room: &Room, mut allowance: Allowance) {
    let mut buffer = vec![0; LARGEST_PIECE];
    let mut changes = stand.changes.clone();
    loop {
        let Allowance { most, wait } = allowance;
        let read = tokio::select! {
            read = async {
                room.wait().await;
                if !wait.is_zero() {
                    sleep(wait).await;
                }
                socket.read(&mut buffer[..most]).await
            } => read,
            () = stand.stopped() => return,
            alive = changes.changed() => {
                let next = stand.run.with(|core| core.allowance(stand.connection, stand.end));
                let Some(next) = next.filter(|_| alive.is_ok()) else { return };
                allowance = next;
                continue;
            }
        };
        let next = match read {
            Ok(0) => {
                stand.send(Piece::End);
                return;
            }
            Ok(bytes) => stand.send(Piece::Data(Bytes::copy_from_slice(&buffer[..bytes]))),
            Err(_) => {
                stand.send(Piece::Reset);
                return stand.break_off();
            }
        };
        let Some(next) = next else { return };
        allowance = next;
    }
}

/// Writes the pieces that have been delivered to one end.
async fn write(stand: Stand, mut socket: OwnedWriteHalf, mut pieces: mpsc::UnboundedReceiver<Piece>, room: &Room) {
    loop {
        let piece = tokio::select! {
            piece = pieces.recv() => piece,
            () = stand.broken() => None,
        };
        let Some(piece) = piece else { break };
        let written = match &piece {
            Piece::Open => Ok(()),
            Piece::Data(bytes) => tokio::select! {
                written = socket.write_all(bytes) => written,
                () = stand.broken() => Ok(()),
            },
            Piece::End => socket.shutdown().await,
            Piece::Reset => {
                stand.break_off();
                Ok(())
            }
        };
        room.free(&piece);
        if written.is_err() || matches!(piece, Piece::End | Piece::Reset) {
            break;
        }
    }
    if *stand.course.borrow() == Course::Broken {
        // A socket that is closed without lingering tells its peer that the connection is broken.
        let _ = socket.as_ref().set_zero_linger();
        socket.forget();
    }
    stand.run.with(|core| core.stream_closed(stand.connection, stand.end));
}
