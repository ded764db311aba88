/** The reference of the API: Swagger UI draws the OpenAPI document in the theme of the dashboard. */

import { loadPreferences, preferences } from "../drawing/preferences.js";

/** @typedef {(settings: Record<string, unknown>) => void} Draw */

const { SwaggerUIBundle: draw } = /** @type {{ SwaggerUIBundle: Draw }} */ (/** @type {unknown} */ (globalThis));
const darkness = matchMedia("(prefers-color-scheme: dark)");

/** Swagger UI has a class for its dark colours; what the dashboard remembers outweighs what the system likes. */
function colour() {
  const { theme } = preferences;
  document.documentElement.classList.toggle("dark-mode", theme === "auto" ? darkness.matches : theme !== "light");
}

/** @typedef {{ React: { createElement: (tag: string, properties: object, ...children: unknown[]) => unknown } }} SwaggerSystem */

/**
 * A plugin: the path of an operation is written in its button, and not a link within a button, which nobody could tell apart
 * without a mouse. The address leads to the operation as soon as that is open.
 */
const plainPaths = {
  wrapComponents: {
    DeepLink:
      (/** @type {unknown} */ _, /** @type {SwaggerSystem} */ { React }) =>
      (/** @type {{ text: unknown }} */ { text }) =>
        React.createElement("span", { className: "nostyle" }, text),
  },
};

/** What is too long for its room is scrolled with the keys, too. */
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
