/**
 * The types of the API that the page uses. `tests/page/types` writes the types of the OpenAPI document to
 * `target/openapi.d.ts`; the module name `openapi` refers to that file. The document does not specify the types of
 * some values, so this file adds them.
 */

/** @import * as api from "openapi" */

/**
 * @template T, F
 * @typedef {Omit<T, keyof F> & F} With The type `T` with the fields of `F`. A field of `F` replaces the field of
 *   `T` with the same name.
 */
/**
 * @template U
 * @typedef {U extends unknown ? keyof U : never} KeyOf A name of a field that at least one type of a union has.
 */
/** @template U, K @typedef {U extends { [k in K & string]?: infer V } ? Exclude<V, null> : never} Field */
/** @template U @typedef {Pick<U, keyof U> & { [K in Exclude<KeyOf<U>, keyof U>]?: Field<U, K> }} Merged All fields of a union. */

/**
 * @typedef {api.LinkPatch} LinkPatch
 * @typedef {api.LinkOverride} LinkOverride
 * @typedef {api.WorkloadDraft} Workload
 * @typedef {api.ChannelName} Channel
 * @typedef {api.DetectorName} Detector
 * @typedef {With<api.LiveRun, { algorithm: string, variant?: string, channel?: Channel, detector?: Detector }>} Specification
 * @typedef {With<Required<api.RunSummary>, RunParts>} Run
 * @typedef {{ specification: Specification, warnings?: Warning[], follows_schedule?: boolean }} RunParts
 * @typedef {api.Choice} Choice
 * @typedef {With<Required<api.ReplayDocument>, { difference: Required<api.Difference> | null }>} Replay
 * @typedef {With<api.ExplorationDraft, { specification: Specification }>} NewExploration
 * @typedef {With<api.ScheduleDraft, { specification: Specification }>} Schedule
 * @typedef {With<Required<api.Explored>, { schedule: Schedule | null, table: ExplorationTable | null }>} Exploration
 * @typedef {With<api.NodeDocument, { view?: View | null, leader?: api.Leader }>} NodeState
 * @typedef {api.LockDocument} LockState
 * @typedef {api.ResourceDocument} Resource
 * @typedef {api.Warning} Warning
 * @typedef {With<api.VerdictDocument, { because: Because }>} Verdict
 * @typedef {With<api.MessageDocument, { body: unknown }>} Message
 * @typedef {api.Rule} Rule
 * @typedef {api.Partition} Partition
 * @typedef {api.Setup} Network
 * @typedef {api.ViolationDocument} Violation
 * @typedef {api.DelayDocument} Delays
 * @typedef {Required<api.MetricsDocument>} Metrics
 * @typedef {api.Structure} Structure
 * @typedef {With<api.Algorithm, { commands: Command[], variants: Variant[], assumes: Assumptions }>} Algorithm
 * @typedef {"acquire" | "release" | "elect" | "propose" | "corrupt"} Command A command that the user can send to a
 *   node.
 * @typedef {With<api.Variant, { assumes: Assumptions, broken?: string }>} Variant
 * @typedef {With<api.Assumptions, { failure_detector: "none" | "perfect" | "eventual-leader", time_outs: TimeOut[] }>} Assumptions
 * @typedef {With<api.TimeOut, { risk: "safety" | "progress" }>} TimeOut
 * @typedef {With<api.Example, { specification: Specification }>} Example
 * @typedef {Pick<api.Problem, "title" | "status"> & Partial<api.Problem>} Problem The body of an error response.
 * @typedef {api.Fate} Fate
 * @typedef {api.MatrixFault} Fault
 * @typedef {With<api.Cell, { example?: api.MatrixExample }>} MatrixCell
 * @typedef {With<api.Row, { cells: MatrixCell[] }>} MatrixRow
 * @typedef {With<api.Matrix, { rows: MatrixRow[] }>} Matrix
 * @typedef {With<Required<api.Runs>, { items: Run[] }>} Runs
 * @typedef {api.ClaimSource} ClaimSource
 * @typedef {With<api.Claim, { because?: api.Words, examples?: string[], explorations?: NewExploration[] }>} Claim
 * @typedef {With<api.Claims, { items: Claim[] }>} Claims
 * @typedef {api.ClaimCounterexample} Counterexample
 * @typedef {With<api.QuestionChoice, { because?: api.Words }>} QuestionChoice
 * @typedef {With<api.Question, { choices: QuestionChoice[], run: Merged<api.QuestionRun> }>} Question
 *
 * @typedef {"opening" | "live" | "disconnected" | "ended"} Connection The state is `opening` until the first
 *   response.
 *
 * @typedef {object} ExplorationTable A counterexample that no schedule can express.
 * @property {{ after?: string, processes: View[], under_way?: UnderWay[], privileges?: number }[]} rows
 * @property {number} [again] Index of the row that the last row repeats, if the run never ends.
 *
 * @typedef {{ from: number, to: number, message: { kind: string, body: unknown } }} UnderWay
 *
 * @typedef {object} View The part of its state that an algorithm reports.
 * @property {number} [clock]
 * @property {{ clock: number, process: number }} [request]
 * @property {{ node: number, clock?: number }[]} [queue]
 * @property {number[]} [waits_for]
 * @property {Record<string, boolean | number | number[] | string>} [variables]
 * @property {View[]} [locks] If there are several locks, the view of each lock's instance of the algorithm.
 *
 * @typedef {{ round: number, proposer: number }} Ballot
 *
 * @typedef {object} InstanceTables The tables of an instance of agreement. Their keys are nodes.
 * @property {Record<string, Ballot>} promised
 * @property {Record<string, { ballot: Ballot, value: string }>} accepted
 * @property {Record<string, string>} decided
 *
 * @typedef {With<api.InstanceDocument, InstanceTables>} Instance
 *
 * @typedef {{ code: string, sentence?: string, [argument: string]: any } | null} Because
 *
 * @typedef {object} StateParts
 * @property {NodeState[]} nodes
 * @property {Instance[]} [agreement] The latest instances, by number.
 * @property {Record<string, Message>} [under_way] The messages that are held or in transit, by name.
 * @property {Verdict} verdict
 *
 * @typedef {With<api.StateDocument, StateParts>} State
 * @typedef {With<api.StateChange, { patch: import("../run/patch.js").Operation[] }>} Change What an event changed in the state.
 * @typedef {With<api.HistoryDocument, { state: State, items: Happening[], changes: Change[] }>} HistoryPage
 *
 * @typedef {{ code: string, lock?: number, [value: string]: unknown }} Reason
 *
 * @typedef {object} EventParts
 * @property {string} kind
 * @property {Reason[]} [because] The algorithm's reasons for its actions in the step that begins with this event.
 * @property {Ballot} [ballot]
 * @property {{ subject: string, id?: string, value?: unknown }} [change]
 *
 * @typedef {With<Merged<api.Event>, EventParts>} Happening An event. Its kind determines its fields.
 */

export {};
