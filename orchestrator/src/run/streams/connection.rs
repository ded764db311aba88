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

use super::pieces::{Opened, Room};
use super::{End, Piece};
use crate::run::Run;

/// Maximum number of bytes of a piece.
const LARGEST_PIECE: usize = 16 * 1024;
/// Pause after a connection could not be accepted.
const AFTER_AN_ERROR: Duration = Duration::from_millis(10);

/// Accepts the connections of `client` to `service`, which listens at `address`, until the run ends.
pub async fn serve(
    run: Arc<Run>,
    (client, service): (NodeId, NodeId),
    listener: std::net::TcpListener,
    address: SocketAddr,
) {
    let Ok(listener) = TcpListener::from_std(listener) else { return };
    let mut open = run.with(|core| core.streams.open_until());
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            _ = open.changed() => return,
        };
        let Ok((socket, _)) = accepted else {
            // If the process has no file descriptor left, each further attempt fails at once until others are closed.
            sleep(AFTER_AN_ERROR).await;
            continue;
        };
        if let Some(opened) = run.with(|core| core.open_stream(client, service)) {
            let run = Arc::clone(&run);
            run.hub.clone().spawn(carry(run, opened, socket, address));
        }
    }
}

/// One end of a connection: its socket, and what stops the tasks that use the socket.
#[derive(Clone)]
struct Stand {
    run: Arc<Run>,
    connection: u64,
    end: End,
    /// Whether the connection is broken at this end.
    broken: watch::Sender<bool>,
}

impl Stand {
    fn send(&self, piece: Piece) {
        self.run.with(|core| core.send_piece(self.connection, self.end, piece));
    }

    fn break_off(&self) {
        self.broken.send_replace(true);
    }

    async fn broken(&self) {
        // The sender is in `self`, so the channel does not close.
        let _ = self.broken.subscribe().wait_for(|broken| *broken).await;
    }
}

/// Carries the pieces of one connection, until both of its ends are closed.
async fn carry(run: Arc<Run>, opened: Opened, socket: TcpStream, address: SocketAddr) {
    let Opened { connection, for_client, for_service, rooms: [to_client, to_service] } = opened;
    let stand = |end| Stand { run: Arc::clone(&run), connection, end, broken: watch::Sender::new(false) };
    let (client, service) = (stand(End::Client), stand(End::Service));
    let _ = socket.set_nodelay(true);
    let (reading, writing) = socket.into_split();
    tokio::join!(
        read(client.clone(), reading, &to_service),
        write(client, writing, for_client, &to_client),
        reach(service, for_service, address, &to_client, &to_service),
    );
}

/// Connects to the service as soon as the opening of the connection arrives, and then reads and writes.
async fn reach(
    stand: Stand,
    mut pieces: mpsc::UnboundedReceiver<Piece>,
    address: SocketAddr,
    to_client: &Room,
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
    tokio::join!(read(stand.clone(), reading, to_client), write(stand, writing, pieces, to_service));
}

/// Reads what the process at one end sends. Stops reading while too much is on its way.
async fn read(stand: Stand, mut socket: OwnedReadHalf, room: &Room) {
    let mut buffer = vec![0; LARGEST_PIECE];
    loop {
        let read = tokio::select! {
            read = async { room.wait().await; socket.read(&mut buffer).await } => read,
            () = stand.broken() => return,
        };
        match read {
            Ok(0) => return stand.send(Piece::End),
            Ok(bytes) => stand.send(Piece::Data(Bytes::copy_from_slice(&buffer[..bytes]))),
            Err(_) => {
                stand.send(Piece::Reset);
                return stand.break_off();
            }
        }
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
                // A socket that is closed without lingering tells its peer that the connection is broken.
                let _ = socket.as_ref().set_zero_linger();
                stand.break_off();
                Ok(())
            }
        };
        room.free(&piece);
        if written.is_err() || matches!(piece, Piece::End | Piece::Reset) {
            break;
        }
    }
    if *stand.broken.borrow() {
        socket.forget();
    }
    stand.run.with(|core| core.stream_closed(stand.connection, stand.end));
}
