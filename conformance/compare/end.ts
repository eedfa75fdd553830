import type { MatchContext } from "../match/text.js";
import { matchText } from "../match/text.js";
import { matchValue } from "../match/value.js";
import type { Json, TraceEnd } from "../trace/trace.js";
import { show, showDifference } from "./show.js";

/** End of a run and the files it left behind. */
export interface ObservedEnd {
  exitCode: number | null;
  /** Files of the workspace without `.git`, by relative path. */
  workspace: Record<string, string>;
  /** Relative paths of the files in CODEX_HOME. */
  codexHome: string[];
  configToml: string | undefined;
  /** What the hooks of the trace wrote down: their standard input. */
  hookStdin: Json[] | null;
}

/**
 * Returns the differences between the end of a run and that of a trace. A program that had to be killed has
 * no exit code.
 */
export function compareEnd(expected: TraceEnd, got: ObservedEnd, context: MatchContext): string[] {
  const found: string[] = [];
  if (expected.exit_code !== got.exitCode) {
    const [want, have] = [expected.exit_code, got.exitCode].map((code) => code ?? "none (killed)");
    found.push(`end exit_code: expected ${want}, got ${have}`);
  }
  if (expected.workspace_after) {
    const differences = matchValue(expected.workspace_after, got.workspace, context);
    found.push(...differences.map((one) => `end workspace ${showDifference(one)}`));
  }
  if (expected.codex_home_after) {
    found.push(...compareHome(expected.codex_home_after, got.codexHome, context));
  }
  if (expected.hook_stdin !== undefined) {
    found.push(...compareHookStdin(expected.hook_stdin, got.hookStdin, context));
  }
  if (expected.config_toml_after !== undefined) {
    const [want, have] = [expected.config_toml_after, got.configToml ?? ""].map(withoutBlankLines);
    if (!matchText(want ?? "", have ?? "", context)) {
      found.push(`end config.toml: expected ${show(want as Json)}, got ${show(have as Json)}`);
    }
  }
  return found;
}

/** Hooks of one event run at the same time, so each line is looked for among all. */
function compareHookStdin(
  expected: Json[] | null,
  got: Json[] | null,
  context: MatchContext,
): string[] {
  const left = [...(got ?? [])];
  const found: string[] = [];
  for (const line of expected ?? []) {
    const fits = (one: Json) =>
      matchValue(line, one, { ...context, bindings: context.bindings.fork() }).length === 0;
    const at = left.findIndex(fits);
    const [taken] = left.splice(Math.max(at, 0), 1);
    const differences = taken === undefined ? undefined : matchValue(line, taken, context);
    if (differences === undefined) found.push(`end hook input: did not come: ${show(line)}`);
    else found.push(...differences.map((one) => `end hook input ${showDifference(one)}`));
  }
  found.push(...left.map((line) => `end hook input: not in the trace: ${show(line)}`));
  return found;
}

/** Files of CODEX_HOME that people and other programs read; the rest is a program's own business. */
const SHARED_FILES =
  /^(config\.toml$|auth\.json$|history\.jsonl$|sessions\/|archived_sessions\/|rules\/|prompts\/)/;

function compareHome(expected: string[], got: string[], context: MatchContext): string[] {
  const left = got.filter((path) => SHARED_FILES.test(path));
  const found: string[] = [];
  for (const template of expected.filter((path) => SHARED_FILES.test(path))) {
    const at = left.findIndex((path) => matchText(template, path, context));
    if (at < 0) found.push(`end CODEX_HOME: no file ${template}`);
    else left.splice(at, 1);
  }
  found.push(...left.map((path) => `end CODEX_HOME: not in the trace: ${path}`));
  return found;
}

/** Without headers of tables that only hold other tables: a file means the same without them. */
function withoutBlankLines(text: string): string {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const isParent = (line: string, next = "") =>
    /^\[[^[].*\]$/.test(line) && next.startsWith(`${line.slice(0, -1)}.`);
  return lines.filter((line, at) => !isParent(line, lines[at + 1])).join("\n");
}
