/**
 * The shapes of the API, as the dashboard reads them. This file has types only.
 *
 * @typedef {"starting" | "running" | "paused" | "crashed" | "stopped"} Process
 * @typedef {"idle" | "wanting" | "in-section"} Phase
 * @typedef {"ok" | "slow" | "waiting-for-you" | "failed" | "stuck" | "violated"} VerdictStatus
 * @typedef {"opening" | "live" | "disconnected" | "ended"} Connection Until the first word has come it is opening.
 *
 * @typedef {object} LinkSetting
 * @property {string} delay A distribution in ms, such as `const:5`.
 * @property {boolean} fifo Whether messages keep their order.
 * @property {number} loss A probability, 0 … 1.
 * @property {number} duplicate A probability, 0 … 1.
 * @property {boolean} hold Whether messages wait for a hand.
 *
 * @typedef {Partial<LinkSetting>} LinkPatch
 * @typedef {LinkPatch & { from: number, to: number }} LinkOverride
 *
 * @typedef {object} Workload
 * @property {string} [idle] A distribution in ms.
 * @property {string} [hold] A distribution in ms.
 * @property {number | null} [entries] How often each client enters; null means for ever.
 * @property {string} [locks] Which locks a client takes: `first`, `one`, `all`, `neighbours`, `some:2`,
 *   `directory:10%`, `0,3,1`.
 * @property {string} [between] A distribution in ms.
 * @property {string} [again] A distribution in ms.
 * @property {number} [tell] A probability, 0 … 1.
 * @property {{ balance: number, deposit?: number, fencing: boolean }} [account]
 * @property {"all" | number[]} [nodes] Whose clients.
 *
 * @typedef {"raw" | "fifo" | "reliable" | { reliable: { timeout: number } }} Channel
 * @typedef {"none" | "perfect" | "heartbeat" | { heartbeat: { interval?: number, timeout?: number, adaptive?: boolean } }} Detector
 *
 * @typedef {object} Specification
 * @property {string} algorithm
 * @property {string} [name]
 * @property {string} [variant]
 * @property {Record<string, number | string>} [parameters]
 * @property {number} [nodes]
 * @property {number} [locks]
 * @property {number} [seed]
 * @property {Channel} [channel]
 * @property {Detector} [detector]
 * @property {LinkPatch} [network]
 * @property {Workload | null} [workload] Null: only by command.
 * @property {boolean} [timers] Whether they run out by themselves; yes if absent.
 *
 * @typedef {object} Run
 * @property {string} id
 * @property {string} name
 * @property {"running" | "stopped" | "failed"} status
 * @property {"live" | "loaded"} origin
 * @property {string} created_at
 * @property {VerdictStatus | null} verdict None if its events cannot be read, or have not been yet.
 * @property {JournalSize} journal
 * @property {Specification} specification
 * @property {Warning[]} [warnings] None if absent.
 * @property {boolean} [follows_schedule] Whether nothing happens but what a schedule says; no if absent.
 *
 * @typedef {object} JournalSize How large the journal of a run is.
 * @property {number} bytes
 * @property {number} [limit_bytes] How large it may become; only the disk bounds it, or the run is over, if absent.
 *
 * @typedef {Record<string, any>} Choice What happens, with one field: its verb.
 *
 * @typedef {object} Schedule
 * @property {Specification} specification
 * @property {{ do: Choice }[]} choices
 *
 * @typedef {object} Replay How far a run has come in the schedule that it follows.
 * @property {number} position
 * @property {number} of
 * @property {Choice | null} next
 * @property {{ position: number } | null} difference Where the processes did otherwise than the model.
 * @property {boolean} forked
 *
 * @typedef {object} NewExploration
 * @property {Specification} specification
 * @property {number} requests
 * @property {boolean} fifo
 * @property {number} lose
 * @property {number} duplicate
 * @property {number} crash
 * @property {number} pause
 * @property {number} corrupt
 * @property {"stored" | "none"} [restart]
 * @property {string} timers
 * @property {"arbitrary"} [beginning]
 * @property {number} [contents]
 * @property {string} [daemon]
 *
 * @typedef {object} Exploration
 * @property {string} id
 * @property {"running" | "ended" | "failed"} status
 * @property {"holds" | "violated" | "unfinished" | null} verdict
 * @property {string | null} because
 * @property {number} states
 * @property {number} depth
 * @property {string[]} properties
 * @property {string | null} property
 * @property {string | null} sentence
 * @property {Schedule | null} schedule
 * @property {ExplorationTable | null} table
 *
 * @typedef {object} ExplorationTable A run that no schedule can say.
 * @property {{ after?: string, processes: View[], under_way?: UnderWay[], privileges?: number }[]} rows
 * @property {number} [again] The place of the row that the last one is again, if it goes on for ever.
 *
 * @typedef {{ from: number, to: number, message: { kind: string, body: unknown } }} UnderWay
 *
 * @typedef {object} View
 * @property {number} [clock]
 * @property {{ clock: number, process: number }} [request]
 * @property {{ node: number, clock?: number }[]} [queue]
 * @property {number[]} [waits_for]
 * @property {Record<string, boolean | number | number[] | string>} [variables]
 * @property {View[]} [locks] With several locks, each an instance of the algorithm of its own: one view for each.
 *
 * @typedef {object} NodeState
 * @property {number} node
 * @property {number} incarnation
 * @property {Process} process
 * @property {number | null} [pid]
 * @property {Phase} phase
 * @property {number[]} wants The locks that it waits for.
 * @property {number[]} holds The locks that it has.
 * @property {{ leader: number, term: number }} [leader] Whom it takes for the coordinator.
 * @property {unknown[]} [timers] Those that somebody has to let run out; none if absent.
 * @property {number[]} [suspected] Whom its failure detector takes for dead; nobody if absent.
 * @property {View | null} [view]
 *
 * @typedef {object} LockState
 * @property {number} lock
 * @property {number[]} holders
 * @property {number[]} [late] Whose lease was taken back, and who has not left yet.
 * @property {{ node: number, request: number, since_us: number, keeps?: number[] }[]} waiting With the locks that a node
 *   keeps until it gets this one.
 * @property {number} entries
 *
 * @typedef {object} Resource What a lock protects.
 * @property {string} name
 * @property {number} lock
 * @property {number} value
 * @property {number} expected What would be in it if no write had been lost.
 * @property {number} version How many writes were done.
 * @property {number} refused How many writes were refused.
 * @property {boolean} fencing Whether late ones are.
 * @property {number | null} fence The newest fencing token seen.
 *
 * @typedef {{ round: number, proposer: number }} Ballot
 *
 * @typedef {object} Instance An instance of agreement; the tables are by node.
 * @property {number} instance
 * @property {string[]} proposed
 * @property {Record<string, Ballot>} promised
 * @property {Record<string, { ballot: Ballot, value: string }>} accepted
 * @property {Record<string, string>} decided
 *
 * @typedef {{ code: string, sentence?: string, [argument: string]: any } | null} Because
 *
 * @typedef {{ code: string, sentence?: string, [argument: string]: any }} Warning
 *
 * @typedef {object} Verdict
 * @property {VerdictStatus} status
 * @property {number} violations
 * @property {Because} because
 * @property {Warning[]} [warnings] None if absent.
 *
 * @typedef {object} State
 * @property {string} run
 * @property {number} seq
 * @property {number} at_us
 * @property {LockState[]} locks
 * @property {NodeState[]} nodes
 * @property {{ in_flight: number, held: number }} messages
 * @property {Record<string, Message>} [under_way] The messages that are held or on their way, by name.
 * @property {Resource[]} [resources] None if absent.
 * @property {Instance[]} [agreement] The latest instances, by number.
 * @property {Verdict} verdict
 *
 * @typedef {{ seq: number, at_us: number, patch: import("../run/patch.js").Operation[] }} Change What an event changed in the state.
 *
 * @typedef {object} HistoryPage Events, the state before the first of them, and what each has changed.
 * @property {State} state
 * @property {Happening[]} items
 * @property {Change[]} changes
 * @property {number} latest The last event of the run so far.
 *
 * @typedef {{ code: string, lock?: number, [value: string]: unknown }} Reason
 *
 * @typedef {object} Happening An event; which fields it has depends on its kind.
 * @property {number} seq
 * @property {number} at_us
 * @property {string} kind
 * @property {number} [node]
 * @property {number} [incarnation]
 * @property {number} [step]
 * @property {string} [message]
 * @property {string} [copy]
 * @property {number} [from]
 * @property {number} [whom]
 * @property {number} [to]
 * @property {string} [message_kind]
 * @property {unknown} [body]
 * @property {number} [due_us]
 * @property {unknown} [why]
 * @property {Record<string, unknown>} [operation] What a service is asked for.
 * @property {Record<string, unknown>} [response] What it answers.
 * @property {string} [by]
 * @property {number} [rule]
 * @property {Reason[]} [because] Why the algorithm did what it did in the step that begins with it.
 * @property {unknown} [cause]
 * @property {unknown} [state]
 * @property {unknown} [timer]
 * @property {number} [delay_us]
 * @property {number} [lock]
 * @property {number} [request]
 * @property {number} [fence]
 * @property {number[]} [on]
 * @property {number} [holder]
 * @property {number[]} [cycle]
 * @property {number} [victim]
 * @property {number} [leader]
 * @property {number} [term]
 * @property {number} [instance]
 * @property {string | number} [value]
 * @property {string} [resource]
 * @property {Ballot} [ballot]
 * @property {number} [pid]
 * @property {string} [detail]
 * @property {boolean} [stored]
 * @property {Record<string, unknown>} [command]
 * @property {{ subject: string, id?: string, value?: unknown }} [change]
 * @property {{ monitor: string, code: string, arguments: Record<string, unknown>, events: number[] }} [violation]
 *
 * @typedef {object} Message A message that is held or on its way.
 * @property {string} message
 * @property {number} from
 * @property {number} to
 * @property {string} message_kind
 * @property {unknown} body
 * @property {"held" | "on-the-way"} status
 * @property {number} since_us
 * @property {number | null} [due_us]
 *
 * @typedef {object} Partition
 * @property {string | number} id
 * @property {number[][]} groups
 * @property {"both" | "forward"} [direction]
 * @property {"drop" | "hold"} [lost]
 *
 * @typedef {object} Rule
 * @property {string | number} id
 * @property {{ from?: number | null, to?: number | null, message_kind?: string | null }} match
 * @property {string} action
 * @property {number} [skip]
 * @property {number | null} [count]
 *
 * @typedef {object} Network
 * @property {LinkSetting} default
 * @property {LinkOverride[]} links
 * @property {Partition[]} partitions
 * @property {Rule[]} rules
 *
 * @typedef {object} Violation
 * @property {number} seq
 * @property {string} monitor
 * @property {string} code
 * @property {Record<string, unknown>} arguments
 * @property {number[]} events
 * @property {string} [sentence]
 *
 * @typedef {{ mean: number | null, p50: number | null, p99: number | null, max: number | null } | null} Delays In ms.
 *
 * @typedef {object} Metrics
 * @property {number} entries
 * @property {number} messages
 * @property {number | null} messages_per_entry
 * @property {Record<string, number>} messages_by_kind
 * @property {Record<string, number>} repair_messages Those by which the algorithm repaired what failures had broken, by kind.
 * @property {{ retransmissions: number, acknowledgements: number,
 *   stay_away: { from: number, to: number, times: number }[] }} channel
 * @property {DetectorQuality} detector
 * @property {Delays} client_delay
 * @property {Delays} synchronisation_delay
 * @property {Delays} response_time
 * @property {number | null} throughput Entries a second.
 *
 * @typedef {object} DetectorQuality
 * @property {number} heartbeats How many were sent.
 * @property {number} suspicions
 * @property {number} wrong_suspicions
 * @property {Delays} time_to_detect
 * @property {number} undetected How many times somebody who lives has not noticed that another is dead.
 *
 * @typedef {object} Algorithm
 * @property {string} name
 * @property {string} title
 * @property {string} family
 * @property {("acquire" | "release" | "elect" | "propose" | "corrupt")[]} commands What can be ordered by hand.
 * @property {"none" | "instances" | "many"} locks How many it can have.
 * @property {{ authors: string, title: string, year: number }} source
 * @property {string} summary
 * @property {{ name: string, summary: string, broken?: string, assumes: Assumptions }[]} variants
 * @property {Assumptions} assumes
 * @property {string[]} message_kinds
 * @property {string[]} token_kinds Those that are the token on its way.
 * @property {Structure} [structure] How its processes stand to each other.
 * @property {Record<string, string>} sentences What its reasons say, by their codes.
 * @property {string[]} repair_kinds Those that repair what failures break, and are counted apart.
 * @property {{ name: string, summary: string, default: string, range: string, unit: string | null }[]} parameters
 * @property {string} messages_per_entry
 *
 * @typedef {object} Structure How the processes of an algorithm stand to each other.
 * @property {string} kind `complete`, `ring`, `tree`, `pointers`, `coterie`, `coordinator`, `permissions`,
 *   `numbered-requests`.
 * @property {string | null} [parameter] The name of the parameter that says more.
 *
 * @typedef {object} Assumptions What an algorithm needs in order to be right.
 * @property {boolean} fifo
 * @property {boolean} no_loss
 * @property {boolean} no_duplication
 * @property {boolean} no_crash
 * @property {boolean} stable_storage
 * @property {"none" | "perfect" | "eventual-leader"} failure_detector
 * @property {{ parameter: string, messages: number, per_node?: boolean, risk: "safety" | "progress" }[]} time_outs
 *
 * @typedef {object} Example
 * @property {string} name
 * @property {string} title
 * @property {string} about
 * @property {string} source
 * @property {Specification} specification
 * @property {object} scenario
 *
 * @typedef {object} Problem RFC 9457.
 * @property {string} [type]
 * @property {string} title
 * @property {number} status
 * @property {number} [line] Of several, from 1.
 * @property {string} [detail]
 * @property {{ pointer: string, detail: string, allowed?: string[] }[]} [errors]
 */

export {};

/** @typedef {"safe-and-live" | "safe-but-stuck" | "unsafe"} Fate What an algorithm makes of a fault. */

/**
 * @typedef {"nothing" | "loss" | "duplication" | "reordering" | "crash-of-waiter" | "crash-of-holder" |
 *   "crash-of-special" | "pause" | "restart-with-state" | "restart-without-state" | "one-way-partition" | "partition" |
 *   "wrong-suspicion" | "corruption"} Fault A column of the matrix.
 */

/**
 * @typedef {"no-loss" | "no-duplication" | "fifo" | "no-crash" | "no-return" | "stable-storage" | "failure-detector" |
 *   "time-out"} LostAssumption What a fault takes away of what an algorithm assumes.
 */

/**
 * @typedef {object} MatrixCell
 * @property {Fault} fault
 * @property {Fate} fate The worst of its runs.
 * @property {Fate} expected
 * @property {LostAssumption[]} lost
 * @property {number} runs
 * @property {number} unsafe In how many two were in the section.
 * @property {number} stuck In how many of the others somebody does not enter any more.
 * @property {{ seed: number, events: number, scenario: object }} [example]
 */

/**
 * @typedef {object} MatrixRow
 * @property {string} algorithm
 * @property {string} variant
 * @property {string} channel
 * @property {string} detector
 * @property {MatrixCell[]} cells
 */
