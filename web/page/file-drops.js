/** Handles files that the user drops onto the page. */

import { attribute } from "../drawing/dom.js";

/**
 * Listens for files that the user drags over the page. While a file is over the page, `body` has the attribute
 * `data-drop`.
 *
 * @param {(file: File) => void} take Called with the dropped file.
 */
export function listenToFileDrops(take) {
  const { body } = document;
  body.addEventListener("dragover", (event) => {
    if (!carriesFile(event)) return;
    event.preventDefault();
    attribute(body, "data-drop", true);
  });
  // If there is no related target, the pointer has left the window. Otherwise the pointer has only moved between
  // elements of the page.
  body.addEventListener("dragleave", ({ relatedTarget }) => relatedTarget ?? attribute(body, "data-drop", false));
  body.addEventListener("drop", (event) => {
    if (!carriesFile(event)) return;
    event.preventDefault();
    attribute(body, "data-drop", false);
    const file = event.dataTransfer?.files[0];
    if (file !== undefined) take(file);
  });
}

/**
 * Returns whether a drag carries a file. A drag can also carry text.
 *
 * @param {DragEvent} event
 */
const carriesFile = ({ dataTransfer }) => dataTransfer?.types.includes("Files") === true;
