/** Keyboard control of the large diagram. */

import { diagramCommands } from "../../page/diagram-keys.js";

/** @typedef {Record<import("../../page/diagram-keys.js").Name, () => void>} Actions Actions by command. */

const names = new Map(diagramCommands.flatMap(({ name, keys }) => keys.map((key) => [key, name])));

/**
 * @param {Actions} actions
 * @param {(target: EventTarget | null) => boolean} isOurs Returns whether the diagram should handle the space bar and
 *   Enter while the given element has the focus.
 * @returns {(event: KeyboardEvent) => void}
 */
export const keysFor = (actions, isOurs) => (event) => {
  const { key, shiftKey, ctrlKey, altKey, metaKey, target } = event;
  const isTyping = target instanceof HTMLSelectElement || (target instanceof Element && target.closest(".scroll") !== null);
  const isPressed = (key === " " || key === "Enter") && !isOurs(target);
  if (ctrlKey || altKey || metaKey || isPressed || (isTyping && key.length > 1)) return;
  const name = names.get(shiftKey && key.startsWith("Arrow") ? `shift ${key}` : key);
  if (name === undefined) return;
  event.preventDefault();
  actions[name]();
};
