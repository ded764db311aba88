//! Messages of Le Lann's algorithm, and the reasons for the decisions of its processes.

use crate::prelude::*;

messages! {
    /// The messages: the token, and the messages that regenerate a lost token.
    #[derive(Copy)]
    pub enum LeLannMessage {
        "TOKEN" Token {
            /// Generation of the token, counted from 1; absent in the variants that do not distinguish tokens.
            #[serde(default, skip_serializing_if = "is_none")]
            generation: u64,
            /// Number of entries with this token; absent in the variants that do not distinguish tokens.
            #[serde(default, skip_serializing_if = "is_none")]
            entries: u64,
        }: "Passes the token on.",
        "CLAIM" Claim { generation: u64, candidate: NodeId }:
            "The token is missing: if no process has it and none has a better claim, the candidate makes a new one.",
        "PING" Ping { number: u64 }: "Of two tokens, the one that permits entry.",
        "PONG" Pong { number: u64 }: "Of two tokens, the one that shows that the other is lost.",
    }
}

/// Returns whether a number is 0, which a message omits.
const fn is_none(number: &u64) -> bool {
    *number == 0
}

reasons! {
    pub enum Reason {
        GotToken: "Entered: the token arrived, or no other process can have it.",
        PassedUnwanted { to: NodeId }:
            "Passed the token on to the next in the ring: this process does not want the critical section.",
        PassedOnLeaving { to: NodeId }:
            "Passed the token on to the next in the ring: this process has left the critical section.",
        PassedUnused { to: NodeId }:
            "Passed the token on: this process is back after a crash and cannot tell whether the token is an old one.",
        Rests: "Keeps the token: all other processes have crashed.",
        NotPredecessor { from: NodeId }: "Ignored: the token comes from the predecessor only.",
        SecondToken { from: NodeId }: "Ignored: the token is already here.",
        OldToken { from: NodeId, generation: u64 }:
            "Ignored: this token was believed lost, and a newer one has been made or is about to be.",
        Unexpected { from: NodeId }: "Ignored: no process sends this in this variant.",
        MissesToken { generation: u64 }: "Claims to make a new token: none has passed for a long time.",
        MissesTokenAndMakesIt { generation: u64 }: "Makes a new token at once: none has passed for a long time.",
        BetterClaim { candidate: NodeId }: "Passed the claim on: this process has neither the token nor a better claim.",
        WorseClaim { candidate: NodeId }:
            "Stopped the claim: there is a better one, or its token has already been made.",
        DeadCandidate { candidate: NodeId }:
            "Stopped the claim: its candidate has crashed, and no other process would stop it.",
        TokenIsHere { candidate: NodeId }: "Stopped the claim: the token is here.",
        MadeToken { generation: u64 }:
            "Made a new token: the claim has come round, so no process has one, and no other process makes one.",
        CutOut { node: NodeId }: "Skips a process of the ring: it has crashed.",
        TakenIn { node: NodeId }: "No longer skips it: it is alive.",
        Met { number: u64 }: "The two tokens have met here: they get the next number.",
        PongLost { number: u64 }: "Made a new PONG: PING has come round twice without meeting it.",
        PingLost { number: u64 }: "Made a new PING: PONG has come round twice without meeting it.",
    }
}
