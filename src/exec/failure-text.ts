import type { CommandFailure, CommandResult } from "./result.js";

/** What the user is shown when a command has no exit code of its own. */
export function failureMessage(failure: CommandFailure): string {
  if (failure.kind === "sandbox") return failure.message;
  if (failure.kind === "signal") return "sandbox error: command was killed by a signal";
  return failure.errno === undefined
    ? failure.message
    : `${failure.message} (os error ${failure.errno})`;
}

/** What the model is told when a command has no exit code of its own. */
export function executionError(failure: CommandFailure): string {
  return `execution error: ${debugForm(failure)}`;
}

/** What the user is shown of a command that the sandbox stopped: its own words, if it had any. */
export function deniedMessage({
  exitCode,
  stdout,
  stderr,
  aggregated,
}: Pick<CommandResult, "exitCode" | "stdout" | "stderr" | "aggregated">): string {
  if (aggregated.trim() !== "") return aggregated;
  const said = [stderr, stdout].filter((text) => text.trim() !== "").join("\n");
  return said === "" ? `command failed inside sandbox with exit code ${exitCode}` : said;
}

/**
 * What the model is told of a command that the sandbox stopped.
 *
 * `debug` is the form of 0.42, with everything known about the command; `short` that of 0.45.
 */
export function deniedText(result: CommandResult, form: "debug" | "short"): string {
  if (form === "short") return `failed in sandbox: ${result.stderr}`;
  const sandbox = result.sandbox === "seatbelt" ? "MacosSeatbelt" : "LinuxSeccomp";
  const output = [
    `exit_code: ${result.exitCode}`,
    `stdout: ${streamForm(result.stdout)}`,
    `stderr: ${streamForm(result.stderr)}`,
    `aggregated_output: ${streamForm(result.aggregated)}`,
    `duration: ${durationForm(result.durationMs)}`,
    `timed_out: ${result.timedOut}`,
  ].join(", ");
  return `failed in sandbox ${sandbox} with execution error: Denied { output: ExecToolCallOutput { ${output} } }`;
}

function debugForm(failure: CommandFailure): string {
  if (failure.kind === "sandbox") return failure.message;
  if (failure.kind === "signal") return `Sandbox(Signal(${failure.number}))`;
  const { errno, errorKind, message } = failure;
  if (errno === undefined) return `Io(Custom { kind: ${errorKind}, error: ${quoted(message)} })`;
  return `Io(Os { code: ${errno}, kind: ${errorKind}, message: ${quoted(message)} })`;
}

function streamForm(text: string): string {
  return `StreamOutput { text: ${quoted(text)}, truncated_after_lines: None }`;
}

function durationForm(ms: number): string {
  return ms >= 1000 ? `${Number((ms / 1000).toFixed(9))}s` : `${Number(ms.toFixed(6))}ms`;
}

const escapes: Record<string, string> = {
  "\0": "\\0",
  "\t": "\\t",
  "\n": "\\n",
  "\r": "\\r",
  '"': '\\"',
  "\\": "\\\\",
};

/** A text in quotes, with what cannot be printed written as escapes. */
function quoted(text: string): string {
  const body = text.replace(
    /["\\\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}]/gu,
    (char) => escapes[char] ?? `\\u{${char.codePointAt(0)?.toString(16)}}`,
  );
  return `"${body}"`;
}
