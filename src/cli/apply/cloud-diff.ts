import { openAuthStore, storedTokens } from "../../auth/index.js";
import type { Config, Environment } from "../../config/index.js";
import { boundedFetch } from "../../mcp/http/bounded-fetch.js";
import { nodeFetch } from "../../mcp/http/node-fetch.js";
import { CodexError } from "../../protocol/error.js";

/**
 * Fetches the diff that a task in the cloud ended with.
 *
 * The tasks are those of the user's ChatGPT account, so it needs a sign-in with ChatGPT. Throws in
 * words for the user when there is no such task, or no diff.
 */
export async function fetchCloudDiff(
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
