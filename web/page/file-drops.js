/** Files dropped onto the page. */

import { attribute } from "../drawing/dom.js";

/** Listens to files dragged over the page, which has `data-drop` meanwhile. @param {(file: File) => void} take Receives a file. */
export function listenToFileDrops(take) {
  const { body } = document;
  body.addEventListener("dragover", (event) => {
    if (!carriesFile(event)) return;
    event.preventDefault();
    attribute(body, "data-drop", true);
  });
  // The pointer has left the page only if it has entered no other part of it.
  body.addEventListener("dragleave", ({ relatedTarget }) => relatedTarget ?? attribute(body, "data-drop", false));
  body.addEventListener("drop", (event) => {
    if (!carriesFile(event)) return;
    event.preventDefault();
    attribute(body, "data-drop", false);
    const file = event.dataTransfer?.files[0];
    if (file !== undefined) take(file);
  });
}

/** Text that is dragged within the page is not a file. @param {DragEvent} event */
const carriesFile = ({ dataTransfer }) => dataTransfer?.types.includes("Files") === true;
