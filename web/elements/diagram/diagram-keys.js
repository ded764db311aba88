/** Keyboard control of the large diagram. */

/**
 * @typedef {Record<string, () => void>} Actions Actions by key. For an arrow key with the shift key, the name begins
 *   with `shift`, as in `shift ArrowLeft`.
 */

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
  const action = actions[shiftKey && key.startsWith("Arrow") ? `shift ${key}` : key];
  if (action === undefined) return;
  event.preventDefault();
  action();
};
