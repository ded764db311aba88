//! Content of the network of a world: messages of any algorithm. Only the code for a particular algorithm knows the
//! type of these messages.

use std::any::Any;
use std::rc::Rc;

use interlock_algorithm::Message;
use interlock_machine::application::{TELL, Told};
use interlock_machine::channel::{CHANNEL_ACK, Packet, Said};
use interlock_machine::detector::{HEARTBEAT, Heartbeat};
use serde::Serialize;

use interlock_model::event::Json;

/// A message of any algorithm, in the form for code that does not know the type of the message.
pub trait Carried: Any {
    /// Returns the kind of the message, as the paper names it.
    fn name_of_kind(&self) -> &'static str;

    /// Returns the fields of the message, as the paper names them.
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

/// Returns the JSON of a value that can always be serialized: a number, a text, or a list of them.
pub(super) fn json<T: Serialize + ?Sized>(value: &T) -> Json {
    Json::of(value).unwrap_or(Json::NULL)
}

fn body_of(message: &Json) -> Json {
    json(&message.value()["body"])
}

/// A message in transit. All receivers and all copies share one allocation.
pub type Parcel = Rc<dyn Carried>;

/// Returns the message in a parcel, or `None` if the type of the message is not `M`.
#[inline]
pub fn opened<M: Message>(parcel: Parcel) -> Option<M> {
    let parcel: Rc<dyn Any> = parcel;
    parcel.downcast().ok().map(Rc::unwrap_or_clone)
}

/// Borrows the message in a parcel. Returns `None` if the type of the message is not `M`.
pub fn seen<M: Message>(parcel: &Parcel) -> Option<&M> {
    let carried: &dyn Any = &**parcel;
    carried.downcast_ref()
}

/// Content of the network of a world.
#[derive(Clone)]
pub enum Content {
    /// A message of the algorithm.
    Protocol(Parcel),
    /// A message of the application. It is boxed because it is larger than the other contents.
    Told(Box<Told>),
    /// A packet of a channel.
    Packet(Box<Packet<Parcel>>),
    /// A heartbeat of a failure detector.
    Heartbeat(Heartbeat),
}

impl Content {
    /// Returns the kind of the message, as the paper names it.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Protocol(message) => message.name_of_kind(),
            Self::Told(_) => TELL,
            Self::Packet(packet) => kind_of_packet(packet),
            Self::Heartbeat(_) => HEARTBEAT,
        }
    }
}

/// Returns the kind of a packet: the kind of the message in the packet, or the kind of acknowledgements.
pub fn kind_of_packet(packet: &Packet<Parcel>) -> &'static str {
    match packet {
        Packet::Data { said: Said::Protocol(message), .. } => message.name_of_kind(),
        Packet::Data { said: Said::Told(_), .. } => TELL,
        Packet::Acknowledgement(_) => CHANNEL_ACK,
    }
}
