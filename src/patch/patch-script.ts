import { type Command, parse, type Word } from "unbash";
import { MAX_PATCH_LENGTH } from "./limits.js";

/** A patch in a shell script, and the folder that the script changes to first. */
export interface PatchScript {
  body: string;
  workdir: string | undefined;
}

/**
 * Parses a script of the form `NAME <<'EOF' … EOF`, optionally after `cd DIR &&`; returns undefined
 * for any other script, which is then an ordinary command.
 */
export function readPatchScript(
  script: string,
  names: ReadonlySet<string>,
): PatchScript | undefined {
  if (script.length > MAX_PATCH_LENGTH || !/apply_?patch/.test(script)) return undefined;
  // Models also write CRLF; the shell would then expect a delimiter with a carriage return.
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

/** Returns the folder of `cd DIR` if it is one literal word. */
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
