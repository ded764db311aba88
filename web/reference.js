/** The reference of the API: its OpenAPI document, drawn by Swagger UI in the theme of the dashboard. */

import { loadPreferences, preferences } from "./preferences.js";

/** @typedef {(settings: Record<string, unknown>) => void} Draw */

const { SwaggerUIBundle: draw } = /** @type {{ SwaggerUIBundle: Draw }} */ (/** @type {unknown} */ (globalThis));
const darkness = matchMedia("(prefers-color-scheme: dark)");

/** Swagger UI has a class for its dark colours; what the dashboard remembers outweighs what the system likes. */
function colour() {
  const { theme } = preferences;
  document.documentElement.classList.toggle("dark-mode", theme === "auto" ? darkness.matches : theme !== "light");
}

loadPreferences();
// The document is in English, whatever the language of the dashboard.
document.documentElement.lang = "en";
colour();
darkness.addEventListener("change", colour);
draw({ url: "/openapi.json", dom_id: "#reference", deepLinking: true, docExpansion: "list", validatorUrl: null });
