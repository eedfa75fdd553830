/**
 * Makes a CommonJS module from esbuild load its imports on first use.
 *
 * `var import_a=require("a");…import_a.b` becomes `var import_a;…(import_a??=require("a")).b`. An
 * import that is used other than by its members stays eager, and an unused one is removed.
 */
export function toLazy(code) {
  const loads = new Map();
  for (const [, name, load] of code.matchAll(declaration)) loads.set(name, load);
  for (const name of loads.keys()) {
    const others = new RegExp(`${alone.source}${quoted(name)}(?![\\w$.])`, "g");
    if (code.match(others)?.length !== 1) loads.delete(name);
  }
  const used = new Set();
  const body = code
    .replaceAll(declaration, (text, name, _, end) => (loads.has(name) ? toNothing(end) : text))
    .replaceAll(use, (text, name) => {
      if (!loads.has(name)) return text;
      used.add(name);
      return `(${name}??=${loads.get(name)}).`;
    });
  return used.size === 0 ? body : `var ${[...used].join()};${body}`;
}

/** Returns what replaces a removed declaration. */
function toNothing(end) {
  return end === "," ? "" : "__none;";
}

/**
 * Matches a whole identifier that is not a member of something; a spread (`...x`) is not a member.
 */
const alone = /(?<![\w$])(?<!(?<!\.\.)\.)/;
const use = new RegExp(`${alone.source}(import_[\\w$]+)\\.`, "g");

const declaration =
  /(?<![\w$.])(import_[\w$]+)=(require\("[^"]+"\)|__toESM\(require\("[^"]+"\)(?:,1)?\))([,;])/g;

function quoted(name) {
  return name.replaceAll("$", "\\$");
}
