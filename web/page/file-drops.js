/** Handles files that are dropped onto the page. */

import { attribute } from "../drawing/dom.js";

/**
 * Listens to files that are dragged over the page. In the meantime, `body` has the attribute `data-drop`.
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
  // If there is no related target, the pointer has left the page. Otherwise it has only moved within the page.
  body.addEventListener("dragleave", ({ relatedTarget }) => relatedTarget ?? attribute(body, "data-drop", false));
  body.addEventListener("drop", (event) => {
    if (!carriesFile(event)) return;
    event.preventDefault();
    attribute(body, "data-drop", false);
    const file = event.dataTransfer?.files[0];
    if (file !== undefined) take(file);
  });
}

/** Whether a drag carries a file. Text that is dragged within the page does not count. @param {DragEvent} event */
const carriesFile = ({ dataTransfer }) => dataTransfer?.types.includes("Files") === true;
