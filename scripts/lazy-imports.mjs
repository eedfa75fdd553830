/**
 * Makes a CommonJS module that esbuild wrote load what it imports when it is first used.
 *
 * `var import_a=require("a");…import_a.b` becomes `var import_a;…(import_a??=require("a")).b`. A name that
 * is used in another way than by its members stays as it is, and one that is not used at all goes.
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

/** What is left of a declaration in a list of them. */
function toNothing(end) {
  return end === "," ? "" : "__none;";
}

/** Not the end of another name, and not a member of something; what is spread is neither. */
const alone = /(?<![\w$])(?<!(?<!\.\.)\.)/;
const use = new RegExp(`${alone.source}(import_[\\w$]+)\\.`, "g");

const declaration =
  /(?<![\w$.])(import_[\w$]+)=(require\("[^"]+"\)|__toESM\(require\("[^"]+"\)(?:,1)?\))([,;])/g;

function quoted(name) {
  return name.replaceAll("$", "\\$");
}
