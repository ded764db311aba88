//! The open connections of a run, and the pieces on their way. A piece that the network has delivered waits here until
//! all earlier pieces of its direction have been delivered, and until its receiver is not paused.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use interlock_algorithm::NodeId;
use interlock_machine::message_id::MessageId;
use interlock_model::event::MessageKind;
use interlock_model::specification::ServiceProtocol;
use rustc_hash::FxHashMap;
use tokio::sync::{Notify, mpsc, watch};

use super::decoder::{Decoded, Decoder};
use super::pace::{Allowance, Countdowns, Cut, Pace};
use super::{End, Piece};

/// Maximum weight of the pieces of one direction that are on their way. Beyond it, no further bytes are read.
const MOST_ON_THE_WAY: usize = 256 * 1024;

/// The connections of a run.
#[derive(Debug, Default)]
pub(in crate::run) struct Streams {
    /// The connections, by their numbers.
    pub(super) connections: BTreeMap<u64, Connection>,
    /// For each piece in the network, its connection and the end that receives it.
    pub(super) pieces: FxHashMap<MessageId, (u64, End)>,
    /// Number of the latest connection.
    latest: u64,
    /// Changes of the network. The receivers end when the run ends.
    pub(super) changes: watch::Sender<()>,
    /// Times at which faults end connections, each with the connection.
    pub(super) endings: BTreeSet<(u64, u64)>,
    /// For each link with a bandwidth, the time at which all of its bytes have entered it.
    pub(super) links_free_us: BTreeMap<(NodeId, NodeId), u64>,
}

#[derive(Debug)]
pub(super) struct Connection {
    pub client: NodeId,
    pub service: NodeId,
    pub to_client: Direction,
    pub to_service: Direction,
    /// Courses of the tasks at the end of the client, and at that of the service.
    pub courses: [watch::Sender<Course>; 2],
    pub countdowns: Countdowns,
    /// The time at which a fault ends the connection, and how it ends.
    pub ending: Option<(u64, Cut)>,
    /// Whether a fault has ended the connection.
    pub is_over: bool,
}

/// The course of the tasks at one end of a connection.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::run) enum Course {
    /// They read and write.
    #[default]
    Open,
    /// They write everything that was delivered, and read nothing more.
    Closed,
    /// They end at once, and break the socket.
    Broken,
}

/// One direction of a connection.
#[derive(Debug)]
pub(super) struct Direction {
    /// Pieces that the receiver has not got yet, in the order in which they were sent.
    sent: VecDeque<Sent>,
    /// The task that writes to the receiver. None if the receiver has closed the connection.
    pub writer: Option<mpsc::UnboundedSender<Piece>>,
    room: Arc<Room>,
    /// Whether a piece was dropped. Nothing later arrives then.
    pub is_silent: bool,
    pub pace: Pace,
    /// Tells what passes. None if the protocol of the service is not known.
    decoder: Option<Decoder>,
}

#[derive(Debug)]
pub(super) struct Sent {
    /// The message of the piece, and its kind. None if the operating system has closed the connection of a crashed process, or a
    /// fault has ended the connection.
    pub message: Option<(MessageId, MessageKind)>,
    pub piece: Piece,
    pub has_arrived: bool,
}

/// The bytes of one direction that are on their way.
#[derive(Debug, Default)]
pub(in crate::run) struct Room {
    taken: AtomicUsize,
    freed: Notify,
}

impl Room {
    /// Waits until a reader may read further bytes.
    pub async fn wait(&self) {
        loop {
            let freed = self.freed.notified();
            if self.taken.load(Ordering::Acquire) < MOST_ON_THE_WAY {
                return;
            }
            freed.await;
        }
    }

    fn take(&self, piece: &Piece) {
        self.taken.fetch_add(piece.weight(), Ordering::AcqRel);
    }

    /// Records that a piece has been written, or will never be.
    pub fn free(&self, piece: &Piece) {
        self.taken.fetch_sub(piece.weight(), Ordering::AcqRel);
        self.freed.notify_one();
    }
}

/// The ends of a new connection, for the tasks that read and write its sockets.
pub(in crate::run) struct Opened {
    pub connection: u64,
    /// Pieces for the client, and for the service.
    pub for_client: mpsc::UnboundedReceiver<Piece>,
    pub for_service: mpsc::UnboundedReceiver<Piece>,
    /// The room of the direction to the client, and of that to the service.
    pub rooms: [Arc<Room>; 2],
    /// The course of the tasks at the end of the client, and at that of the service.
    pub courses: [watch::Sender<Course>; 2],
    /// What each end may read first: the client, and the service.
    pub allowances: [Allowance; 2],
}

impl Sent {
    fn is(&self, message: MessageId) -> bool {
        self.message.as_ref().is_some_and(|(own, _)| *own == message)
    }
}

impl Streams {
    pub fn count(&self) -> usize {
        self.connections.len()
    }

    /// Records a new connection.
    pub fn open(&mut self, client: NodeId, service: NodeId, protocol: Option<ServiceProtocol>) -> Opened {
        let decoder = |of_requests| protocol.map(|protocol| Decoder::new(protocol, of_requests));
        let (to_client, for_client) = Direction::new(decoder(false));
        let (to_service, for_service) = Direction::new(decoder(true));
        let rooms = [Arc::clone(&to_client.room), Arc::clone(&to_service.room)];
        let courses: [watch::Sender<Course>; 2] = Default::default();
        self.latest += 1;
        let connection = self.latest;
        let record = Connection {
            client,
            service,
            to_client,
            to_service,
            courses: courses.clone(),
            countdowns: Countdowns::default(),
            ending: None,
            is_over: false,
        };
        self.connections.insert(connection, record);
        Opened { connection, for_client, for_service, rooms, courses, allowances: [Allowance::UNLIMITED; 2] }
    }

    /// Returns a channel that reports each change of the network, and closes when the run ends.
    pub fn changes(&self) -> watch::Receiver<()> {
        self.changes.subscribe()
    }

    /// Whether a fault has ended a connection.
    pub fn is_over(&self, connection: u64) -> bool {
        self.connections.get(&connection).is_none_or(|found| found.is_over)
    }

    /// Returns the process at an end of a connection, and the process at the other end.
    pub fn ends(&self, connection: u64, end: End) -> Option<(NodeId, NodeId)> {
        let Connection { client, service, .. } = self.connections.get(&connection)?;
        Some(match end {
            End::Client => (*client, *service),
            End::Service => (*service, *client),
        })
    }

    fn direction(&mut self, connection: u64, to: End) -> Option<&mut Direction> {
        let connection = self.connections.get_mut(&connection)?;
        Some(match to {
            End::Client => &mut connection.to_client,
            End::Service => &mut connection.to_service,
        })
    }

    /// Returns what a piece for one end of a connection tells; none if no message ends in it.
    pub fn decode(&mut self, connection: u64, to: End, piece: &Piece) -> Option<Decoded> {
        let Piece::Data(bytes) = piece else { return None };
        self.direction(connection, to)?.decoder.as_mut()?.read(bytes)
    }

    /// Records a piece that the network has accepted as a message of kind `kind`.
    pub fn sent(&mut self, connection: u64, to: End, (message, kind): (MessageId, MessageKind), piece: Piece) {
        let Some(direction) = self.direction(connection, to) else { return };
        direction.push(Sent { message: Some((message, kind)), piece, has_arrived: false });
        self.pieces.insert(message, (connection, to));
    }

    /// Records a piece that has no message, because its sender has crashed. It arrives after all earlier pieces.
    pub fn sent_by_system(&mut self, connection: u64, to: End, piece: Piece) {
        if let Some(direction) = self.direction(connection, to) {
            direction.push(Sent { message: None, piece, has_arrived: true });
        }
    }

    /// Records that nothing later arrives at an end of a connection.
    pub fn silence(&mut self, connection: u64, to: End) {
        if let Some(direction) = self.direction(connection, to) {
            direction.is_silent = true;
        }
    }

    /// Whether a message is a piece of a connection.
    pub fn has(&self, message: MessageId) -> bool {
        self.pieces.contains_key(&message)
    }

    /// Records that a piece was dropped. Nothing later arrives at its receiver. Returns the later pieces that had
    /// already arrived, and so are lost, too.
    pub fn lost(&mut self, message: MessageId) -> Vec<(MessageId, MessageKind)> {
        let Some((connection, to)) = self.pieces.remove(&message) else { return Vec::new() };
        let Some(direction) = self.direction(connection, to) else { return Vec::new() };
        direction.is_silent = true;
        direction.forget(|sent| sent.is(message));
        let lost = direction.forget(|sent| sent.has_arrived);
        for (message, _) in &lost {
            self.pieces.remove(message);
        }
        lost
    }

    /// Records that the network has delivered a piece. Returns its connection and the end that receives it; none if
    /// an earlier piece was dropped, so that nothing later arrives.
    pub fn arrived(&mut self, message: MessageId) -> Option<(u64, End)> {
        let (connection, to) = *self.pieces.get(&message)?;
        let direction = self.direction(connection, to)?;
        let sent = direction.sent.iter_mut().find(|sent| sent.is(message))?;
        sent.has_arrived = true;
        (!direction.is_silent).then_some((connection, to))
    }

    /// Removes and returns the next piece of a direction, if it has arrived and its turn has come. Also returns its
    /// message and the kind of the message, unless the operating system has sent the piece.
    pub fn next(&mut self, connection: u64, to: End) -> Option<(Option<(MessageId, MessageKind)>, Piece)> {
        let direction = self.direction(connection, to)?;
        if direction.is_silent {
            return None;
        }
        let Sent { message, piece, .. } = direction.sent.pop_front_if(|sent| sent.has_arrived)?;
        if let Some((message, _)) = &message {
            self.pieces.remove(message);
        }
        Some((message, piece))
    }

    /// Hands a piece to the task that writes to its receiver. Returns false if the receiver has closed the connection.
    pub fn hand(&mut self, connection: u64, to: End, piece: Piece) -> bool {
        self.direction(connection, to).is_some_and(|direction| direction.hand(piece))
    }

    /// Records that an end of a connection is closed: its socket takes no further piece. Forgets the connection if
    /// both ends are closed, and returns the pieces that are still on their way, each with its kind.
    pub fn closed(&mut self, connection: u64, end: End) -> Vec<(MessageId, MessageKind)> {
        let Some(direction) = self.direction(connection, end) else { return Vec::new() };
        direction.writer = None;
        let Some(Connection { to_client, to_service, .. }) = self.connections.get(&connection) else {
            return Vec::new();
        };
        if to_client.writer.is_some() || to_service.writer.is_some() {
            return Vec::new();
        }
        self.forget_ending(connection);
        let Some(Connection { mut to_client, mut to_service, .. }) = self.connections.remove(&connection) else {
            return Vec::new();
        };
        let left = [to_client.forget(|_| true), to_service.forget(|_| true)].concat();
        for (message, _) in &left {
            self.pieces.remove(message);
        }
        left
    }

    /// Returns the directions to a process in which pieces may wait.
    pub fn waiting_for(&self, process: NodeId) -> Vec<(u64, End)> {
        let of = |(&number, connection): (&u64, &Connection)| {
            let end = if connection.client == process { End::Client } else { End::Service };
            (connection.client == process || connection.service == process).then_some((number, end))
        };
        self.connections.iter().filter_map(of).collect()
    }

    /// Forgets all connections, at the end of the run.
    pub fn clear(&mut self) {
        *self = Self::default();
    }
}

impl Direction {
    fn new(decoder: Option<Decoder>) -> (Self, mpsc::UnboundedReceiver<Piece>) {
        let (writer, pieces) = mpsc::unbounded_channel();
        let room = Arc::new(Room::default());
        let pace = Pace::default();
        (Self { sent: VecDeque::new(), writer: Some(writer), room, is_silent: false, pace, decoder }, pieces)
    }

    pub fn push(&mut self, sent: Sent) {
        self.room.take(&sent.piece);
        self.sent.push_back(sent);
    }

    /// Hands a piece that has taken room to the task that writes to the receiver. Returns false if the receiver has
    /// closed the connection.
    fn hand(&self, piece: Piece) -> bool {
        let unsent = match &self.writer {
            None => Some(piece),
            Some(writer) => writer.send(piece).err().map(|refused| refused.0),
        };
        if let Some(piece) = &unsent {
            self.room.free(piece);
        }
        unsent.is_none()
    }

    /// Hands the end of the connection to the task that writes to the receiver.
    pub fn hand_end(&self) {
        self.room.take(&Piece::End);
        self.hand(Piece::End);
    }

    /// Forgets the pieces that `is_it` selects. Returns those that have a message, with its kind.
    pub fn forget(&mut self, is_it: impl Fn(&Sent) -> bool) -> Vec<(MessageId, MessageKind)> {
        let (forgotten, left): (VecDeque<Sent>, VecDeque<Sent>) = self.sent.drain(..).partition(is_it);
        self.sent = left;
        for sent in &forgotten {
            self.room.free(&sent.piece);
        }
        forgotten.into_iter().filter_map(|sent| sent.message).collect()
    }
}
