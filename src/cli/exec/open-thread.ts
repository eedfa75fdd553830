import type { AppServerClient, ResultOf } from "../../client/index.js";
import { UsageError } from "../usage-error.js";
import type { ExecRequest } from "./exec-request.js";

/** Which thread a run works in: a new one, or one that goes on. */
export type ThreadChoice =
  | { kind: "new" }
  | { kind: "resume"; id: string }
  | { kind: "last"; anywhere: boolean };

/** A thread and its settings. */
export type OpenedThread = ResultOf<"thread/start">;

/** Starts or resumes the thread of a run. */
export async function openThread(
  client: AppServerClient,
  choice: ThreadChoice,
  { thread, ephemeral }: ExecRequest,
  signal: AbortSignal,
): Promise<OpenedThread> {
  if (choice.kind === "new") {
    const params = { ...thread, ...(ephemeral ? { ephemeral } : {}) };
    return client.request("thread/start", params, signal);
  }
  const threadId = await findThread(client, choice, thread.cwd, signal);
  const { threadSource: _, ...settings } = thread; // only new threads have one
  return client.request("thread/resume", { threadId, ...settings, excludeTurns: true }, signal);
}

async function findThread(
  client: AppServerClient,
  choice: Exclude<ThreadChoice, { kind: "new" }>,
  cwd: string,
  signal: AbortSignal,
): Promise<string> {
  if (choice.kind === "resume" && isUuid(choice.id)) return choice.id;
  const place = choice.kind === "last" && !choice.anywhere ? { cwd } : {};
  const query = choice.kind === "resume" ? { searchTerm: choice.id } : { limit: 1 };
  const { data } = await client.request(
    "thread/list",
    {
      ...query,
      ...place,
      sortKey: "updated_at",
      sourceKinds: ["cli", "vscode", "exec", "appServer"],
    },
    signal,
  );
  const found = choice.kind === "last" ? data[0] : data.find(({ name }) => name === choice.id);
  if (found !== undefined) return found.id;
  throw new UsageError(
    choice.kind === "resume"
      ? `No saved session is called ${choice.id}. See \`quire sessions list\``
      : `There is no saved session${choice.anywhere ? "" : ` of ${cwd}`} to go on with`,
  );
}

function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}
