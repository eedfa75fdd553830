import { nearest } from "../../lib/nearest.js";
import { type VimKeymap, vimKeys } from "../composer/vim/keys.js";
import { bindKeys, type KeyBinding } from "../keys.js";
import { type KeyId, setEditorKeys } from "../pi.js";
import { absentActions, boundActions, editorActions, keymapActions } from "./actions.js";
import { keyHelp, readKey } from "./key-names.js";

/** A problem of `tui.keymap`, and what to do about it. */
export interface KeymapProblem {
  text: string;
  hint: string;
}

/** Keys of the user by context and action. */
export type UserKeymap = Readonly<Record<string, Readonly<Record<string, readonly KeyId[]>>>>;

/** Parses `tui.keymap`: `[tui.keymap.CONTEXT]` with `ACTION = "KEY"` or a list; `[]` unbinds. */
export function readKeymap(value: unknown): { keymap: UserKeymap; problems: KeymapProblem[] } {
  const problems: KeymapProblem[] = [];
  const keymap: Record<string, Record<string, readonly KeyId[]>> = {};
  for (const [context, actions] of entriesOf(value)) {
    const known = keymapActions[context];
    const absent = absentActions[context] ?? [];
    if (known === undefined && absent.length === 0) {
      const all = [...new Set([...Object.keys(keymapActions), ...Object.keys(absentActions)])];
      problems.push(unknownName(`\`tui.keymap.${context}\``, "context", context, all));
      continue;
    }
    for (const [action, keys] of entriesOf(actions)) {
      const name = `\`tui.keymap.${context}.${action}\``;
      if (known?.includes(action)) {
        const read = readKeys(name, keys, problems);
        if (read !== undefined) keymap[context] = { ...keymap[context], [action]: read };
      } else if (absent.includes(action)) {
        problems.push({ text: `${name} has no effect`, hint: "There is no such action here" });
      } else problems.push(unknownName(name, "action", action, known ?? absent));
    }
  }
  return { keymap, problems };
}

function unknownName(name: string, what: string, typed: string, all: readonly string[]) {
  const near = nearest(typed, all);
  const hint = near === undefined ? `Expected one of ${all.join(", ")}` : `Did you mean ${near}?`;
  return { text: `${name}: unknown ${what}`, hint };
}

function readKeys(name: string, value: unknown, problems: KeymapProblem[]) {
  const texts = Array.isArray(value) ? value : [value];
  const keys = texts.map((text) => (typeof text === "string" ? readKey(text) : undefined));
  const wrong = keys.indexOf(undefined);
  if (wrong === -1) return keys as KeyId[];
  const text = `${name}: ${JSON.stringify(texts[wrong])} is not a key`;
  problems.push({ text, hint: `Expected ${keyHelp}` });
  return undefined;
}

function entriesOf(value: unknown): [string, unknown][] {
  return typeof value === "object" && value !== null ? Object.entries(value) : [];
}

/** Binds the keys of the user, and the default ones for the rest. */
export function applyKeymap(keymap: UserKeymap): void {
  for (const binding of Object.values(boundActions).flatMap(bindingsOf))
    bindKeys(binding, undefined);
  for (const [context, actions] of Object.entries(boundActions)) {
    for (const [action, binding] of Object.entries(actions)) {
      const keys = keymap[context]?.[action];
      if (keys !== undefined) bindKeys(binding, keys);
    }
  }
  const editor = Object.entries(keymap.editor ?? {});
  const submit = keymap.composer?.submit ?? keymap.global?.submit;
  setEditorKeys({
    ...Object.fromEntries(editor.map(([action, keys]) => [editorActions[action], keys])),
    ...(submit === undefined ? {} : { "tui.input.submit": submit }),
  });
}

function bindingsOf(actions: Readonly<Record<string, KeyBinding>>): KeyBinding[] {
  return Object.values(actions);
}

/** Returns the keys of the vim mode: those of the user, and the default ones for the rest. */
export function vimKeymap(keymap: UserKeymap): VimKeymap {
  const own = (context: keyof typeof vimKeys) => ({
    ...vimKeys[context],
    ...Object.fromEntries(
      Object.entries(keymap[context] ?? {}).map(([action, keys]) => [action, keys.map(plainKey)]),
    ),
  });
  return {
    vim_normal: own("vim_normal"),
    vim_operator: own("vim_operator"),
    vim_text_object: own("vim_text_object"),
  };
}

/** Capital letters are letters to vim. */
function plainKey(key: KeyId): string {
  const letter = /^shift\+([a-z])$/.exec(key)?.[1];
  return letter === undefined ? key : letter.toUpperCase();
}
