import { constants } from "node:os";
import type { Environment } from "../../config/index.js";
import type { HostedCommand, HostedTerminal, TerminalHost } from "../../exec/index.js";
import { errorCode } from "../../lib/errors.js";
import type { Editor } from "./editor.js";

/** The session whose commands run in terminals of the editor. */
export interface TerminalSession {
  id: string;
  editor: Editor;
  /** Environment of this program, which the editor has started. */
  env: Environment;
  /** Shows a terminal in the tool call of a command. */
  show(callId: string, terminalId: string): void;
}

/**
 * Returns the terminals of the editor; undefined if it offers none.
 *
 * An editor that does not know the method after all is not asked again.
 */
export function editorTerminals({
  id: sessionId,
  editor,
  env,
  show,
}: TerminalSession): TerminalHost | undefined {
  if (!editor.hasTerminals) return undefined;
  return {
    async start(command) {
      const params = { sessionId, ...toParams(command, env) };
      try {
        const { terminalId } = await editor.request("terminal/create", params, forever);
        show(command.callId, terminalId);
        return toTerminal(editor, { sessionId, terminalId });
      } catch (error) {
        if (errorCode(error) !== methodNotFound) throw error;
        editor.hasTerminals = false;
        return undefined;
      }
    },
  };
}

const methodNotFound = -32601;
const forever = new AbortController().signal;

/** Variables that the editor has, but the command must not get, are removed by `env`. */
function toParams({ file, args, cwd, env, outputBytes }: HostedCommand, own: Environment) {
  const removed = Object.keys(own).filter((name) => own[name] !== undefined && !(name in env));
  const command = [...removed.flatMap((name) => ["-u", name]), file, ...args];
  return {
    ...(removed.length === 0
      ? { command: file, args: [...args] }
      : { command: "/usr/bin/env", args: command }),
    cwd,
    env: Object.entries(env).map(([name, value]) => ({ name, value })),
    outputByteLimit: outputBytes,
  };
}

function toTerminal(
  editor: Editor,
  ids: { sessionId: string; terminalId: string },
): HostedTerminal {
  const ask = async (method: "terminal/kill" | "terminal/release") => {
    await editor.request(method, ids, AbortSignal.timeout(answerMs)).catch(() => undefined);
  };
  return {
    exited: editor.request("terminal/wait_for_exit", ids, forever).then(
      ({ exitCode, signal }) => ({
        code: exitCode ?? null,
        signal: exitCode == null && signal ? toSignal(signal) : null,
      }),
      () => ({ code: null, signal: null }),
    ),
    output: () =>
      editor.request("terminal/output", ids, AbortSignal.timeout(answerMs)).then(
        ({ output, truncated }) => ({ text: output, isTruncated: truncated }),
        () => undefined,
      ),
    kill: () => ask("terminal/kill"),
    release: () => ask("terminal/release"),
  };
}

/** Longest time to wait for an answer that does not depend on the command. */
const answerMs = 10_000;

/** Some editors omit the prefix. */
function toSignal(name: string): NodeJS.Signals {
  const upper = name.toUpperCase();
  const known = upper.startsWith("SIG") ? upper : `SIG${upper}`;
  return known in constants.signals ? (known as NodeJS.Signals) : "SIGKILL";
}
