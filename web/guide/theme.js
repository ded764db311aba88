/** Applies the theme and the print size that the dashboard has stored, before the page is drawn. A classic script. */

{
  /** @param {string} name @returns {string | null} */
  const stored = (name) => {
    try {
      return localStorage.getItem(`interlock-${name}`);
    } catch {
      // A browser may deny storage to pages that are opened as files.
      return null;
    }
  };
  const { dataset } = document.documentElement;
  dataset.theme = stored("theme") ?? "auto";
  if (stored("big") === "true") dataset.big = "";
}
