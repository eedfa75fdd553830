import { type Command, parse, type Word } from "unbash";
import { MAX_PATCH_LENGTH } from "./limits.js";

/** What a script hands to apply_patch, and the folder it went to first. */
export interface PatchScript {
  body: string;
  workdir: string | undefined;
}

/**
 * Reads a script that is `NAME <<'EOF' … EOF`, or the same after `cd DIR &&`; nothing when it is
 * anything else. What a script may contain is listed here; all else makes it an ordinary command.
 */
export function readPatchScript(
  script: string,
  names: ReadonlySet<string>,
): PatchScript | undefined {
  if (script.length > MAX_PATCH_LENGTH || !/apply_?patch/.test(script)) return undefined;
  // Models write scripts with returns too; the shell would look for a delimiter that has one.
  const { commands, errors } = parse(script.replaceAll("\r\n", "\n"));
  const statement = commands[0];
  if (errors?.length || commands.length !== 1 || !statement || statement.background) {
    return undefined;
  }
  const node = statement.command;
  if (node.type === "Command") return toPatchScript(node, names, undefined);
  if (node.type !== "AndOr" || node.commands.length !== 2 || node.operators[0] !== "&&") {
    return undefined;
  }
  const [cd, call] = node.commands;
  const workdir = cd?.type === "Command" ? directoryOf(cd) : undefined;
  if (workdir === undefined || call?.type !== "Command") return undefined;
  return toPatchScript(call, names, workdir);
}

function toPatchScript(
  { name, prefix, suffix }: Command,
  names: ReadonlySet<string>,
  workdir: string | undefined,
): PatchScript | undefined {
  const [redirect] = suffix;
  if (!name || !names.has(name.text) || prefix.length > 0 || suffix.length !== 1) return undefined;
  if (redirect?.type !== "HereDoc" || redirect.descriptor || !redirect.closing) return undefined;
  const { text } = redirect.body;
  return { body: redirect.operator === "<<-" ? text.replace(/^\t+/gm, "") : text, workdir };
}

/** The folder of `cd DIR`, when it is one plain or quoted word that the shell takes as it stands. */
function directoryOf({ name, prefix, suffix }: Command): string | undefined {
  const [word] = suffix;
  if (name?.text !== "cd" || prefix.length > 0 || suffix.length !== 1) return undefined;
  if (word?.type !== "Word" || !isLiteral(word)) return undefined;
  const isOption = word.value.startsWith("-");
  const isHome = word.text.startsWith("~");
  return word.value === "" || isOption || isHome ? undefined : word.value;
}

function isLiteral({ parts }: Word): boolean {
  if (parts === undefined) return true;
  const [part] = parts;
  if (parts.length !== 1 || !part) return false;
  if (part.type === "DoubleQuoted") return part.parts.every((inner) => inner.type === "Literal");
  return part.type === "Literal" || part.type === "SingleQuoted";
}
