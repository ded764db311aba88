/** The layout of processes and resources around a common table. Pure. */

import { placed, radiusAt } from "./box.js";
import { around } from "./ring.js";

/** @import { Box, Places } from "./box.js" */

/** Size of the square for a resource, relative to the size of a process. */
const SHARE = 0.58;

/**
 * Returns positions of processes and resources at which no arrow crosses a node. If there are as many resources as
 * processes (forks and philosophers), each resource is to the left of the process with the same number.
 *
 * @param {readonly number[]} ids
 * @param {number} resources
 * @param {Box} box
 * @returns {{ processes: Places, resources: Places }}
 */
export function table(ids, resources, box) {
  const seats = [
    ...ids.map((id, place) => ({ id, isResource: false, turn: place })),
    ...Array.from({ length: resources }, (_, lock) => {
      return { id: lock, isResource: true, turn: turnOf(lock, resources, ids.length) };
    }),
  ].sort((a, b) => a.turn - b.turn);
  const { points, distance } = around(seats.length, box);
  const radius = radiusAt(distance);
  const placesOf = (/** @type {boolean} */ wanted, /** @type {number} */ size) => {
    const numbered = seats.map((seat, place) => ({ ...seat, place }));
    const chosen = numbered.filter(({ isResource }) => isResource === wanted);
    return placed(chosen.map(({ place }) => points[place] ?? { x: 0, y: 0 }), chosen.map(({ id }) => id), size);
  };
  return { processes: placesOf(false, radius), resources: placesOf(true, radius * SHARE) };
}

/** @param {number} lock @param {number} resources @param {number} processes */
const turnOf = (lock, resources, processes) => ((lock * processes) / resources - 0.5 + processes) % processes;
