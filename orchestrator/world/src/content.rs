//! Content of the network of a world: messages of any algorithm. Only the code for a particular algorithm knows the
//! type of these messages.

use std::any::Any;
use std::cell::OnceCell;
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

/// A message of an algorithm. The letter is empty after its last receiver has taken the message out.
pub type Letter<M> = OnceCell<M>;

impl<M: Message> Carried for Letter<M> {
    fn name_of_kind(&self) -> &'static str {
        self.get().map_or("", Message::kind)
    }

    fn body(&self) -> Json {
        self.get().map_or(Json::NULL, |message| body_of(&json(message.as_serialize())))
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

/// Empty letters for further messages, so that most messages need no allocation.
pub type Letters<M> = Vec<Rc<Letter<M>>>;

/// Puts a message into a letter: one of `letters`, or a new letter.
#[inline]
pub fn put<M: Message>(letters: &mut Letters<M>, message: M) -> Rc<Letter<M>> {
    let letter = letters.pop().unwrap_or_default();
    // The letter is empty, so this always succeeds.
    _ = letter.set(message);
    letter
}

/// Returns the message in a parcel, or `None` if the type of the message is not `M`. If this empties the letter, adds
/// the letter to `letters`.
#[inline]
pub fn opened<M: Message>(letters: &mut Letters<M>, parcel: Parcel) -> Option<M> {
    let parcel: Rc<dyn Any> = parcel;
    let mut letter: Rc<Letter<M>> = parcel.downcast().ok()?;
    let Some(only) = Rc::get_mut(&mut letter) else { return letter.get().cloned() };
    let message = only.take();
    letters.push(letter);
    message
}

/// Borrows the message in a parcel. Returns `None` if the type of the message is not `M`.
pub fn seen<M: Message>(parcel: &Parcel) -> Option<&M> {
    let carried: &dyn Any = &**parcel;
    carried.downcast_ref::<Letter<M>>()?.get()
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
