/** Descriptions of the faults of connections to services. */

import { settingsWith } from "./lists.js";

/** Returns a number of bytes with a unit, such as `100 kB`. @param {number} bytes */
function bytesText(bytes) {
  if (bytes >= 1_000_000 && bytes % 1_000_000 === 0) return `${bytes / 1_000_000} MB`;
  return bytes >= 1_000 && bytes % 1_000 === 0 ? `${bytes / 1_000} kB` : `${bytes} B`;
}

const faults = {
  en: settingsWith({
    bandwidth: (bytes) => `${bytesText(bytes)} a second`,
    slice: (bytes) => `slices of ${bytesText(bytes)}`,
    slice_pause: (ms) => `${ms} ms between slices`,
    limit: (bytes) => `closed after ${bytesText(bytes)}`,
    slow_close: (ms) => `their ends come ${ms} ms later`,
    reset: (ms) => `reset after ${ms} ms`,
    timeout: (ms) => `silent, and closed after ${ms} ms`,
    refuse: () => "refused",
    hang: () => "accepted, and then silent",
    down: () => "refused, and open ones are closed",
  }),
  de: settingsWith({
    bandwidth: (bytes) => `${bytesText(bytes)} je Sekunde`,
    slice: (bytes) => `Stücke von ${bytesText(bytes)}`,
    slice_pause: (ms) => `${ms} ms zwischen den Stücken`,
    limit: (bytes) => `nach ${bytesText(bytes)} geschlossen`,
    slow_close: (ms) => `ihr Ende kommt ${ms} ms später`,
    reset: (ms) => `nach ${ms} ms abgebrochen`,
    timeout: (ms) => `stumm und nach ${ms} ms geschlossen`,
    refuse: () => "abgelehnt",
    hang: () => "angenommen und dann stumm",
    down: () => "abgelehnt, und offene werden geschlossen",
  }),
  cs: settingsWith({
    bandwidth: (bytes) => `${bytesText(bytes)} za sekundu`,
    slice: (bytes) => `kusy po ${bytesText(bytes)}`,
    slice_pause: (ms) => `${ms} ms mezi kusy`,
    limit: (bytes) => `uzavřena po ${bytesText(bytes)}`,
    slow_close: (ms) => `konec přijde o ${ms} ms později`,
    reset: (ms) => `přerušena po ${ms} ms`,
    timeout: (ms) => `mlčí a po ${ms} ms se uzavře`,
    refuse: () => "odmítnuta",
    hang: () => "přijata a pak mlčí",
    down: () => "odmítnuta a otevřená spojení se uzavřou",
  }),
};

/** Describes the faults of the connections on a link. */
export const connections = {
  /** @param {Record<string, unknown>} tcp */
  en: (tcp) => `TCP connections: ${faults.en(tcp) || "no faults"}`,
  /** @param {Record<string, unknown>} tcp */
  de: (tcp) => `TCP-Verbindungen: ${faults.de(tcp) || "keine Fehler"}`,
  /** @param {Record<string, unknown>} tcp */
  cs: (tcp) => `spojení TCP: ${faults.cs(tcp) || "bez poruch"}`,
};

/** Describes that a partition resets connections. */
export const resetAfter = {
  /** @param {number | null} [ms] */
  en: (ms) => ((ms ?? null) === null ? "" : `; TCP connections are reset after ${ms} ms`),
  /** @param {number | null} [ms] */
  de: (ms) => ((ms ?? null) === null ? "" : `; TCP-Verbindungen werden nach ${ms} ms abgebrochen`),
  /** @param {number | null} [ms] */
  cs: (ms) => ((ms ?? null) === null ? "" : `; spojení TCP se po ${ms} ms přeruší`),
};
