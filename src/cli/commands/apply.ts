import { openAuthStore, storedTokens } from "../../auth/index.js";
import type { Config, Environment } from "../../config/index.js";
import { boundedFetch, nodeFetch } from "../../mcp/index.js";
import { type GitPlace, withGit } from "../../project/index.js";
import { CodexError } from "../../protocol/error.js";
import { defineCommand } from "../command.js";
import { exitCodes, UsageError } from "../exit-codes.js";
import { refuseForeignCommand } from "../foreign-commands.js";
import { configOptions } from "../options/config-options.js";
import { visibleLines } from "../print.js";
import { loadUserConfig } from "../user-config.js";

/** Applies the diff of a Codex Cloud task. */
export const apply = defineCommand({
  name: "apply",
  summary: "Apply the diff of a Codex Cloud task to the repository",
  operands: "TASK_ID",
  mostOperands: 1,
  options: configOptions,
  details: [
    "Requires a ChatGPT login; the diff is applied with `git apply`. For a local patch use",
    "`quire apply-patch` or `git apply`.",
  ].join("\n"),
  async run({ values, positionals: [task] }, io) {
    if (task === undefined) throw new UsageError("Missing task id: `quire apply TASK_ID`");
    const config = await loadUserConfig(values, io);
    const diff = await fetchCloudDiff(task, config, io.env, io.signal);
    const { isApplied, output } = await gitApply(diff, {
      cwd: io.cwd,
      env: io.env,
      home: config.home,
    });
    if (output !== "") io.stderr.write(visibleLines(output));
    io.stderr.write(isApplied ? "Successfully applied diff\n" : "Failed to apply diff\n");
    return isApplied ? exitCodes.ok : exitCodes.failed;
  },
});

/** The supported part of `codex cloud`: `cloud apply` is an alias of `apply`. */
export const cloud = defineCommand({
  name: "cloud",
  summary: "Apply the diff of a Codex Cloud task to the repository",
  options: {},
  verbs: [
    {
      name: "apply",
      summary: "Apply the diff of a Codex Cloud task to the repository",
      load: async () => ({ ...apply, name: "cloud apply" }),
    },
  ],
  async run() {
    refuseForeignCommand(["cloud"]);
    return exitCodes.usage;
  },
});

/**
 * Fetches the diff of a Codex Cloud task; requires a ChatGPT login.
 *
 * Throws if there is no such task, or if the task has no diff.
 */
async function fetchCloudDiff(
  task: string,
  config: Config,
  env: Environment,
  signal: AbortSignal,
): Promise<string> {
  const { token, accountId } = await chatgptLogin(config, env);
  const base = config.chatgpt_base_url.replace(/\/+$/, "");
  const fetch = boundedFetch(nodeFetch);
  const answer = await fetch(`${base}/wham/tasks/${encodeURIComponent(task)}`, {
    headers: { authorization: `Bearer ${token}`, "chatgpt-account-id": accountId },
    signal: AbortSignal.any([signal, AbortSignal.timeout(limitMs)]),
  });
  if (answer.status === 404) throw new CodexError("not_found", `No task ${task} found`);
  if (answer.status === 401 || answer.status === 403) {
    throw new CodexError("auth", "The server rejected the login: run `quire login` again");
  }
  if (!answer.ok) throw new CodexError("io", `Cannot read the task: status ${answer.status}`);
  const diff = diffOf(await answer.json().catch(() => undefined));
  if (diff === undefined) throw new CodexError("not_found", `Task ${task} has no diff to apply`);
  return diff;
}

const limitMs = 30_000;

async function chatgptLogin(config: Config, env: Environment) {
  const { home, cli_auth_credentials_store: mode } = config;
  const store = await openAuthStore({ home, mode });
  const source = storedTokens({ home, store, env, openaiApiKey: false });
  const auth = await source.current();
  if (auth?.kind === "chatgpt" && auth.accountId !== undefined) {
    return { token: auth.token, accountId: auth.accountId };
  }
  throw new CodexError(
    "auth",
    "Codex Cloud tasks require a ChatGPT login: run `quire login`. " +
      "To apply a local patch use `quire apply-patch` or `git apply`",
  );
}

/** Returns the last diff in the output of the task. */
function diffOf(answer: unknown): string | undefined {
  const turn = fieldOf(answer, "current_diff_task_turn");
  const items = fieldOf(turn, "output_items");
  if (!Array.isArray(items)) return undefined;
  const diffs = items
    .filter((item) => fieldOf(item, "type") === "pr")
    .map((item) => fieldOf(fieldOf(item, "output_diff"), "diff"));
  return diffs.findLast((diff): diff is string => typeof diff === "string" && diff !== "");
}

function fieldOf(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  return (value as Record<string, unknown>)[name];
}

/** Outcome of `git apply`. */
interface GitApplied {
  isApplied: boolean;
  output: string;
}

/** Applies a diff to the repository around a folder, merging where lines have moved. */
export async function gitApply(diff: string, place: GitPlace): Promise<GitApplied> {
  const input = diff.endsWith("\n") ? diff : `${diff}\n`;
  const options = { input, withErrors: true, timeoutMs: 120_000 };
  const applied = await withGit(place, async (git, { workTree }) => {
    const result = await git(["-C", workTree, "apply", "--3way", "-"], options);
    return { result };
  });
  if (applied === undefined) {
    const problem = `apply requires git and a repository: ${place.cwd} is not in one, or git is not installed`;
    throw new CodexError("invalid_request", problem);
  }
  const { result } = applied;
  const output = result?.stdout.toString() ?? "git was interrupted, or timed out after 120 s\n";
  return { isApplied: result?.code === 0 && result.complete, output };
}
