/** Files that are dropped onto the page. */

import { attribute } from "../drawing/dom.js";

/**
 * Listens to files that are held over the page; while one is, `data-drop` says so.
 *
 * @param {(file: File) => void} take What is done with the first of those that are dropped.
 */
export function listenToDrops(take) {
  const { body } = document;
  body.addEventListener("dragover", (event) => {
    if (!carriesFile(event)) return;
    event.preventDefault();
    attribute(body, "data-drop", true);
  });
  // Left is the page only when nothing of it is entered instead.
  body.addEventListener("dragleave", ({ relatedTarget }) => relatedTarget ?? attribute(body, "data-drop", false));
  body.addEventListener("drop", (event) => {
    if (!carriesFile(event)) return;
    event.preventDefault();
    attribute(body, "data-drop", false);
    const file = event.dataTransfer?.files[0];
    if (file !== undefined) take(file);
  });
}

/** Not so text that is dragged within the page. @param {DragEvent} event */
const carriesFile = ({ dataTransfer }) => dataTransfer?.types.includes("Files") === true;
