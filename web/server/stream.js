/**
 * The live stream of a run's events. If the connection is lost, the stream is opened again after the last received
 * event.
 */

import { RECONNECT_MS, SELDOM_MS } from "../drawing/pacing.js";
import { streamUrl } from "./api.js";

/** @import { Change, Happening, State } from "./types.js" */

/**
 * @typedef {object} Listener
 * @property {(state: State) => void} state Called with the state that precedes the next events.
 * @property {(events: Happening[], changes: Change[]) => void} events
 * @property {() => void} missed Called if this client was too slow, so that the server has skipped events.
 * @property {() => void} opened
 * @property {() => Promise<boolean>} closed Returns whether the stream should connect again.
 */

export class Stream {
  #run;
  #since;
  #listener;
  #pause_ms = RECONNECT_MS;
  #over = false;
  /** @type {WebSocket | null} */
  #socket = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /**
   * @param {string} run
   * @param {number} since Number of the event after which the stream begins.
   * @param {Listener} listener
   */
  constructor(run, since, listener) {
    this.#run = run;
    this.#since = since;
    this.#listener = listener;
    this.#connect();
  }

  get isOpen() {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  close() {
    this.#over = true;
    clearTimeout(this.#timer);
    this.#socket?.close();
  }

  #connect() {
    const socket = new WebSocket(streamUrl(this.#run, this.#since));
    this.#socket = socket;
    socket.onopen = () => {
      this.#pause_ms = RECONNECT_MS;
      if (!this.#over) this.#listener.opened();
    };
    socket.onmessage = ({ data }) => this.#take(data);
    socket.onclose = () => this.#closed();
  }

  /** @param {string} data */
  #take(data) {
    if (this.#over) return;
    const message = JSON.parse(data);
    if (message.type === "missed") {
      this.#listener.missed();
    } else if (message.type === "state") {
      this.#listener.state(message.state);
    } else if (message.type === "events") {
      this.#since = message.items.at(-1)?.seq ?? this.#since;
      this.#listener.events(message.items, message.changes);
    }
  }

  async #closed() {
    if (this.#over || !(await this.#listener.closed()) || this.#over) return;
    this.#timer = setTimeout(() => this.#connect(), this.#pause_ms);
    this.#pause_ms = Math.min(this.#pause_ms * 2, SELDOM_MS);
  }
}
