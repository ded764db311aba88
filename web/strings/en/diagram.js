/** English: the space-time diagram. */

export const diagram = {
  title: "Space-time diagram",
  whole: "Diagram",
  wholeTip: "The whole run as a space-time diagram (t)",
  axis: "Laid out by",
  axes: { time: "real time", lamport: "Lamport time", depth: "causal depth" },
  larger: "Zoom in",
  smaller: "Zoom out",
  all: "All",
  nodes: "Nodes",
  laneUp: (/** @type {string} */ node, /** @type {number} */ place, /** @type {number} */ of) =>
    `${node} up (lane ${place} of ${of})`,
  laneDown: (/** @type {string} */ node, /** @type {number} */ place, /** @type {number} */ of) =>
    `${node} down (lane ${place} of ${of})`,
  collapsed: (/** @type {string} */ node) => `${node} as a thin line`,
  filter: {
    title: "Filter",
    active: (/** @type {readonly string[]} */ parts) => `Filter: ${parts.join(" · ")}`,
    node: "Only what touches the node",
    allNodes: "all nodes",
    kind: "Only messages of the kind",
    allKinds: "all kinds",
    request: "Only what belongs to the request",
    allRequests: "all requests",
    told: (/** @type {string} */ node, /** @type {number | undefined} */ number, /** @type {number | null} */ lock) =>
      `${node}${number === undefined ? "" : ` request ${number}`}${lock === null ? "" : ` lock ${lock}`}`,
    more: (/** @type {number} */ count) => `and ${count} more: zoom in`,
    tip: "What was sent with the request, every chain of messages from there to the entry, and what was sent at the exit",
    left: "only what the filter leaves",
    clear: "Clear filter",
  },
  table: "Table",
  violation: (/** @type {number} */ count) => (count === 1 ? "What led to the violation" : `What led to the ${count} violations`),
  keys:
    "Click or Enter: past and future of a step · ← → a step · shift ← → move · + − zoom · 0 all · a axis · " +
    "v violation · f filter, c clears it · n nodes: alt ↑ ↓ or drag a name to move a lane, click it to collapse · shift-drag or m, m: mark a span · l table · r second run, b by beginning or entry, , and . by another entry · Esc back",
  second: {
    title: "Second run",
    chosen: (/** @type {string} */ name) => `Second run: ${name}`,
    search: "Search the runs",
    none: "None",
    align: "How the two runs are aligned",
    byEntry: "Aligned by entry",
    byBegin: "Aligned by the beginning",
    entry: (/** @type {number} */ n) => `entry ${n}`,
    back: "By the entry before",
    on: "By the next entry",
    few: (/** @type {string} */ name, /** @type {number} */ count) => (count === 1 ? `${name} has only 1 entry` : `${name} has only ${count} entries`),
    gone: "The second run is not there",
    goneWhy: (/** @type {string} */ run) => `There is no run ${run}: it may have been deleted. Choose another with r.`,
  },
  part: {
    title: "Part of the run in view, by event",
    told: (/** @type {number} */ first, /** @type {number} */ last, /** @type {number} */ latest) => `events ${first} – ${last} of ${latest}`,
  },
  span: {
    begun: (/** @type {string} */ at) => `From ${at}: move the cursor, and m marks the end`,
    where: (/** @type {string} */ from, /** @type {string} */ to) => `${from} – ${to}`,
    noMessages: "no message sent",
    entries: (/** @type {number} */ count) => (count === 1 ? "1 entry" : `${count} entries`),
    wait: (/** @type {string} */ time) => `mean wait ${time}`,
    keys: "Enter zooms in, Esc clears",
  },
  signs: {
    wanting: "waits for the lock",
    section: "in the section",
    crashed: "crashed",
    lost: "lost",
    held: "held",
    crossing: "overtaken",
  },
  columns: ["Event", "Time", "Node", "What happened", "Lamport time", "Causal depth", "Caused by"],
  cause: (/** @type {string} */ kind, /** @type {string} */ from, /** @type {number | null} */ seq) =>
    seq === null ? `${kind} from ${from}` : `${kind} from ${from}, event ${seq}`,
  rows: (/** @type {number} */ count) => (count === 1 ? "1 step in view" : `${count} steps in view`),
  since: (/** @type {number} */ seq) => `Lamport time and depth are counted from event ${seq} on`,
  tooMany: (/** @type {number} */ shown, /** @type {number} */ count) =>
    shown === 0 ? `${count} steps in view: too many for a table. Zoom in.` : `The first ${shown} of ${count} steps in view`,
};
