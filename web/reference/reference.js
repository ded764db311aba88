/** The API reference. Swagger UI draws the OpenAPI document, in the theme of the dashboard. */

import { loadPreferences, preferences } from "../drawing/preferences.js";

/** @typedef {(settings: Record<string, unknown>) => void} Draw */

const { SwaggerUIBundle: draw } = /** @type {{ SwaggerUIBundle: Draw }} */ (/** @type {unknown} */ (globalThis));
const darkness = matchMedia("(prefers-color-scheme: dark)");

/**
 * Sets the class that makes Swagger UI use dark colours. The stored theme takes precedence over the theme of the
 * system.
 */
function colour() {
  const { theme } = preferences;
  document.documentElement.classList.toggle("dark-mode", theme === "auto" ? darkness.matches : theme !== "light");
}

/** @typedef {{ React: { createElement: (tag: string, properties: object, ...children: unknown[]) => unknown } }} SwaggerSystem */

/**
 * A plugin that shows the path of an operation as plain text in the button that opens the operation. Swagger UI by
 * default shows a link inside that button, and a keyboard user could not distinguish the link from the button. The
 * link is unnecessary, because the address names the open operation.
 */
const plainPaths = {
  wrapComponents: {
    DeepLink:
      (/** @type {unknown} */ _, /** @type {SwaggerSystem} */ { React }) =>
      (/** @type {{ text: unknown }} */ { text }) =>
        React.createElement("span", { className: "nostyle" }, text),
  },
};

/** Makes examples focusable, so that the keyboard can scroll long examples. */
const reached = new MutationObserver(() => {
  document.querySelectorAll("#reference pre:not([tabindex])").forEach((example) => example.setAttribute("tabindex", "0"));
});

loadPreferences();
colour();
darkness.addEventListener("change", colour);
reached.observe(document.body, { childList: true, subtree: true });
draw({
  url: "/openapi.json",
  dom_id: "#reference",
  deepLinking: true,
  docExpansion: "list",
  validatorUrl: null,
  syntaxHighlight: { theme: "obsidian" },
  plugins: [plainPaths],
});
