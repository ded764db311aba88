/** The storage of the browser, or of the tab. If the browser forbids storage, the page works without it. */

/** @typedef {"localStorage" | "sessionStorage"} Area */

/** @param {string} name @param {Area} [area] */
export function read(name, area = "localStorage") {
  try {
    return globalThis[area].getItem(`interlock-${name}`);
  } catch {
    return null;
  }
}

/** @param {string} name @param {string} value @param {Area} [area] */
export function write(name, value, area = "localStorage") {
  try {
    globalThis[area].setItem(`interlock-${name}`, value);
  } catch {
    // The value is lost when the page or the tab is closed.
  }
}
