import { openAuthStore, storedTokens } from "../../auth/index.js";
import type { Config, Environment } from "../../config/index.js";
import { boundedFetch, nodeFetch } from "../../mcp/http/fetch.js";
import { type GitPlace, withGit } from "../../project/index.js";
import { CodexError } from "../../protocol/error.js";
import { defineCommand } from "../command.js";
import { exitCodes, UsageError } from "../exit-codes.js";
import { refuseForeignCommand } from "../foreign-commands.js";
import { configOptions } from "../options/config-options.js";
import { visibleLines } from "../print.js";
import { loadUserConfig } from "../user-config.js";

/** Applies the diff of a task that ran in the cloud. */
export const apply = defineCommand({
  name: "apply",
  summary: "Apply the diff of a task in Codex Cloud to the repository here",
  operands: "TASK_ID",
  mostOperands: 1,
  options: configOptions,
  details: [
    "It needs a sign-in with ChatGPT, whose tasks these are, and applies the diff by `git apply`.",
    "For a patch of your own there are `quire apply-patch` and `git apply`.",
  ].join("\n"),
  async run({ values, positionals: [task] }, io) {
    if (task === undefined) throw new UsageError("Name a task: quire apply TASK_ID");
    const config = await loadUserConfig(values, io);
    const diff = await fetchCloudDiff(task, config, io.env, io.signal);
    const { isApplied, output } = await gitApply(diff, {
      cwd: io.cwd,
      env: io.env,
      home: config.home,
    });
    if (output !== "") io.stderr.write(visibleLines(output));
    io.stderr.write(isApplied ? "Successfully applied diff\n" : "The diff was not applied\n");
    return isApplied ? exitCodes.ok : exitCodes.failed;
  },
});

/** The part of `codex cloud` that is here: `cloud apply` is `apply`. */
export const cloud = defineCommand({
  name: "cloud",
  summary: "Apply the diff of a task in Codex Cloud to the repository here",
  options: {},
  verbs: [
    {
      name: "apply",
      summary: "Apply the diff of a task",
      load: async () => ({ ...apply, name: "cloud apply" }),
    },
  ],
  async run() {
    refuseForeignCommand(["cloud"]);
    return exitCodes.usage;
  },
});

/**
 * Fetches the diff that a task in the cloud ended with.
 *
 * The tasks are those of the user's ChatGPT account, so it needs a sign-in with ChatGPT. Throws in
 * words for the user when there is no such task, or no diff.
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
  if (answer.status === 404) throw new CodexError("not_found", `There is no task ${task}`);
  if (answer.status === 401 || answer.status === 403) {
    throw new CodexError("auth", "The sign-in was refused: `quire login` again");
  }
  if (!answer.ok) throw new CodexError("io", `The task cannot be read: status ${answer.status}`);
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
    "Tasks in the cloud belong to a ChatGPT account: sign in with `quire login`. " +
      "A patch of your own is applied by `quire apply-patch` or `git apply`",
  );
}

/** The last diff among what the task put out. */
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

/** Output of git for a diff, and the outcome of applying it. */
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
    const problem = `${place.cwd} is in no git repository, or there is no git, which apply needs`;
    throw new CodexError("invalid_request", problem);
  }
  const { result } = applied;
  const output = result?.stdout.toString() ?? "git was ended, or took longer than two minutes\n";
  return { isApplied: result?.code === 0 && result.complete, output };
}
