/** The local storage of the browser. If the browser forbids storage, the page works without it. */

/** @param {string} name */
export function read(name) {
  try {
    return localStorage.getItem(`interlock-${name}`);
  } catch {
    return null;
  }
}

/** @param {string} name @param {string} value */
export function write(name, value) {
  try {
    localStorage.setItem(`interlock-${name}`, value);
  } catch {
    // The value is lost when the page is closed.
  }
}
