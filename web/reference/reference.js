/** The API reference. Swagger UI draws the OpenAPI document in the theme of the page. */

import { loadPreferences, preferences } from "../drawing/preferences.js";

/** @typedef {(settings: Record<string, unknown>) => void} Draw */

const { SwaggerUIBundle: draw } = /** @type {{ SwaggerUIBundle: Draw }} */ (/** @type {unknown} */ (globalThis));
const darkness = matchMedia("(prefers-color-scheme: dark)");

/**
 * Sets the class with which Swagger UI uses dark colours. The stored theme takes precedence over that of the system.
 */
function colour() {
  const { theme } = preferences;
  document.documentElement.classList.toggle("dark-mode", theme === "auto" ? darkness.matches : theme !== "light");
}

/** @typedef {{ React: { createElement: (tag: string, properties: object, ...children: unknown[]) => unknown } }} SwaggerSystem */

/**
 * A plugin that shows the path of an operation as text in the operation's button. By default it is a link inside a
 * button, and without a mouse a person could not distinguish the two. An open operation is in the address anyway.
 */
const plainPaths = {
  wrapComponents: {
    DeepLink:
      (/** @type {unknown} */ _, /** @type {SwaggerSystem} */ { React }) =>
      (/** @type {{ text: unknown }} */ { text }) =>
        React.createElement("span", { className: "nostyle" }, text),
  },
};

/** Makes the Tab key reach examples, so that the keyboard can scroll long examples. */
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
