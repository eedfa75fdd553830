import type { KeyId } from "../pi.js";

const names: Readonly<Record<string, string>> = {
  esc: "escape",
  "page-up": "pageUp",
  "page-down": "pageDown",
  pgup: "pageUp",
  pgdn: "pageDown",
  minus: "-",
};
const plainNames = new Set([
  ..."enter tab backspace escape delete insert up down left right home end space".split(" "),
  "pageUp",
  "pageDown",
  "-",
]);

/**
 * Parses a key in the spelling of the reference, such as `ctrl-x`, `alt-up` or `page-down`; undefined
 * if it is not one.
 */
export function readKey(text: string): KeyId | undefined {
  const modifiers: string[] = [];
  let rest = text;
  for (;;) {
    const found = /^(ctrl|control|alt|option|shift)[-+](?=.)/i.exec(rest);
    if (found === null) break;
    modifiers.push(modifierOf[found[1]?.toLowerCase() ?? ""] ?? "");
    rest = rest.slice(found[0].length);
  }
  const key = names[rest.toLowerCase()] ?? (rest.length === 1 ? rest : rest.toLowerCase());
  const isKnown = plainNames.has(key) || /^f(?:[1-9]|1\d|2[0-4])$/.test(key) || /^[!-~]$/.test(key);
  if (!isKnown) return undefined;
  const isUpper = /^[A-Z]$/.test(key);
  if (isUpper && !modifiers.includes("shift")) modifiers.push("shift");
  const order = ["ctrl", "shift", "alt"].filter((name) => modifiers.includes(name));
  return [...order, isUpper ? key.toLowerCase() : key].join("+") as KeyId;
}

const modifierOf: Readonly<Record<string, string>> = {
  ctrl: "ctrl",
  control: "ctrl",
  alt: "alt",
  option: "alt",
  shift: "shift",
};

/** What a key may look like, for errors. */
export const keyHelp =
  "a character, f1 to f24, enter, tab, backspace, esc, delete, up, down, left, right, home, end, " +
  "page-up, page-down, space or minus, with ctrl-, alt- or shift- before it";
