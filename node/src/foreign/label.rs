//! Lock labels of messages, for runs in which each of several locks has a separate instance of the algorithm. In
//! the catalogue, the body of such a message contains the lock and the actual message. In the lines to and from a
//! program, the lock is instead a field beside the kind.

use interlock_algorithm::LockId;
use serde_json::{Value, json};

use super::breach::Breach;

/// The locks that a message can name.
#[derive(Clone, Copy, Debug)]
pub struct Labels {
    /// Number of locks. Each lock has a separate instance of the algorithm.
    pub locks: u32,
}

impl Labels {
    /// In a message to the program, moves the lock from the body to a field beside the kind. With only one lock,
    /// does nothing.
    pub fn tell(self, asked: &mut Value) {
        let Some(message) = asked.get_mut("message").filter(|_| self.locks > 1) else { return };
        let mut labelled = message["body"].take();
        message["lock"] = labelled["lock"].take();
        message["body"] = labelled["message"]["body"].take();
    }

    /// In each message from the program, moves the lock into the body, where the catalogue expects it.
    ///
    /// # Errors
    /// The error of the first message that does not name a lock of the run.
    pub fn take(self, answer: &mut Value) -> Result<(), Breach> {
        let effects = answer.get_mut("effects").and_then(Value::as_array_mut).into_iter().flatten();
        effects.filter_map(|effect| effect.get_mut("send")).try_for_each(|sent| self.take_one(sent))
    }

    fn take_one(self, sent: &mut Value) -> Result<(), Breach> {
        // A value that is not a message is left unchanged here; the reader of the answer refuses it.
        let Some(fields) = sent.as_object_mut() else { return Ok(()) };
        let Some(kind) = fields.get("kind").and_then(Value::as_str).map(ToOwned::to_owned) else { return Ok(()) };
        let last = self.locks.saturating_sub(1);
        let lock = match fields.remove("lock") {
            Some(lock) => {
                lock.as_u64().and_then(|lock| u32::try_from(lock).ok()).filter(|lock| *lock < self.locks).ok_or(lock)
            }
            None if self.locks == 1 => Ok(0),
            None => return Err(Breach::NoLock { kind, last }),
        };
        let lock = lock.map(LockId).map_err(|lock| Breach::Lock { kind: kind.clone(), lock, last })?;
        if self.locks > 1 {
            let body = fields.remove("body").unwrap_or_default();
            fields.insert("body".to_owned(), json!({ "lock": lock, "message": { "kind": kind, "body": body } }));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use interlock_algorithm::Algorithm;
    use interlock_algorithm::instances::Instances;
    use interlock_algorithm::mutual_exclusion::ricart_agrawala::RicartAgrawala;
    use serde_json::from_value;

    use super::*;

    const SEVERAL: Labels = Labels { locks: 2 };

    fn sent(message: &Value) -> Value {
        json!({ "step": 1, "effects": [{ "store": 1 }, { "send": message }] })
    }

    /// The catalogue can read the lock that a program writes, and a program can read the lock that the catalogue
    /// writes.
    #[test]
    fn a_message_with_its_lock_is_one_of_ours() {
        let body = json!({ "clock": 3, "process": 1 });
        let mut answer = sent(&json!({ "to": [1], "kind": "REQUEST", "lock": 1, "body": body }));
        SEVERAL.take(&mut answer).expect("a lock");
        let message = &answer["effects"][1]["send"];
        let ours = json!({ "kind": message["kind"], "body": message["body"] });
        let read: <Instances<RicartAgrawala> as Algorithm>::Message = from_value(ours.clone()).expect("a message");
        assert_eq!((read.lock, serde_json::to_value(&read).expect("written")), (LockId(1), ours.clone()));
        let mut asked = json!({ "message": { "from": 2, "kind": "REQUEST", "body": ours["body"] } });
        SEVERAL.tell(&mut asked);
        assert_eq!(asked, json!({ "message": { "from": 2, "kind": "REQUEST", "lock": 1, "body": body } }));
    }

    #[test]
    fn of_one_lock_it_need_not_be_said() {
        let one = Labels { locks: 1 };
        let plain = sent(&json!({ "to": [1], "kind": "REPLY", "body": 5 }));
        for mut answer in [plain.clone(), sent(&json!({ "to": [1], "kind": "REPLY", "lock": 0, "body": 5 }))] {
            one.take(&mut answer).expect("the only lock");
            assert_eq!(answer, plain);
        }
        let message = json!({ "message": { "from": 2, "kind": "REPLY", "body": { "lock": 7 } } });
        let mut asked = message.clone();
        one.tell(&mut asked);
        assert_eq!(asked, message);
    }

    #[test]
    fn a_message_of_no_lock_is_told_by_its_kind() {
        for (message, part) in [
            (json!({ "to": [1], "kind": "REPLY" }), "without its `lock`; there are locks 0 to 1"),
            (json!({ "to": [1], "kind": "REPLY", "lock": 2 }), "sends a REPLY of lock 2, which does not exist"),
            (json!({ "to": [1], "kind": "REPLY", "lock": -1 }), "of lock -1"),
            (json!({ "to": [1], "kind": "REPLY", "lock": "a" }), "of lock \"a\""),
        ] {
            let refused = SEVERAL.take(&mut sent(&message)).expect_err("refused").to_string();
            assert!(refused.contains(part), "{refused}");
        }
        for no_answer in [json!([]), json!({ "effects": 3 }), json!({ "effects": [{ "send": 3 }, 4] })] {
            assert!(SEVERAL.take(&mut no_answer.clone()).is_ok(), "{no_answer}");
        }
    }
}
