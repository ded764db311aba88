/**
 * Before the page is drawn, applies the theme and the print size that the dashboard has stored. This is a classic
 * script, because a browser does not load modules from local files.
 */

{
  /** @param {string} name @returns {string | null} */
  const stored = (name) => {
    try {
      return localStorage.getItem(`interlock-${name}`);
    } catch {
      // If a page is opened as a file, the browser may deny the page access to storage.
      return null;
    }
  };
  const { dataset } = document.documentElement;
  dataset.theme = stored("theme") ?? "auto";
  if (stored("big") === "true") dataset.big = "";
}
