//! What the network of a world carries: messages of whatever algorithm the run has, which nobody but its nodes reads.

use std::any::Any;
use std::rc::Rc;

use interlock_algorithm::Message;
use interlock_machine::application::{TELL, Told};
use interlock_machine::channel::{CHANNEL_ACK, Packet, Said};
use interlock_machine::detector::{HEARTBEAT, Heartbeat};
use serde::Serialize;

use interlock_model::event::Json;

/// A message of some algorithm, as all but its nodes know it.
pub trait Carried: Any {
    /// Its kind, as in the paper.
    fn name_of_kind(&self) -> &'static str;

    /// Its fields, as in the paper.
    fn body(&self) -> Json;
}

impl<M: Message> Carried for M {
    fn name_of_kind(&self) -> &'static str {
        self.kind()
    }

    fn body(&self) -> Json {
        body_of(&json(self.as_serialize()))
    }
}

/// Returns the JSON of a value that can always be written: numbers, texts and lists of them.
pub(super) fn json<T: Serialize + ?Sized>(value: &T) -> Json {
    Json::of(value).unwrap_or(Json::NULL)
}

fn body_of(message: &Json) -> Json {
    json(&message.value()["body"])
}

/// A message under way. All receivers and all copies share it.
pub type Parcel = Rc<dyn Carried>;

/// What a parcel holds, for a node whose algorithm has such messages; none for others.
#[inline]
pub fn opened<M: Message>(parcel: Parcel) -> Option<M> {
    let parcel: Rc<dyn Any> = parcel;
    parcel.downcast().ok().map(Rc::unwrap_or_clone)
}

/// What a parcel holds, read where it is.
pub fn seen<M: Message>(parcel: &Parcel) -> Option<&M> {
    let carried: &dyn Any = &**parcel;
    carried.downcast_ref()
}

/// What the network of a world carries.
#[derive(Clone)]
pub enum Content {
    /// A message of the algorithm.
    Protocol(Parcel),
    /// A message of the application.
    Told(Told),
    /// What a channel sends.
    Packet(Box<Packet<Parcel>>),
    /// What a failure detector sends.
    Heartbeat(Heartbeat),
}

impl Content {
    /// Its kind, as in the paper.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Protocol(message) => message.name_of_kind(),
            Self::Told(_) => TELL,
            Self::Packet(packet) => kind_of_packet(packet),
            Self::Heartbeat(_) => HEARTBEAT,
        }
    }
}

/// The kind of a packet: that of what is said, or that of an acknowledgement.
pub fn kind_of_packet(packet: &Packet<Parcel>) -> &'static str {
    match packet {
        Packet::Data { said: Said::Protocol(message), .. } => message.name_of_kind(),
        Packet::Data { said: Said::Told(_), .. } => TELL,
        Packet::Acknowledgement(_) => CHANNEL_ACK,
    }
}
