import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Step } from "../../../src/model/scripted/index.js";
import { calls, says } from "../../support/model.js";
import type { TestClient, TestServer, TestServerOptions } from "../../support/server.js";
import { begin, startAppServer } from "../methods/thread.js";

export const touch = (name: string, call_id = name): Step[] =>
  calls("shell", { command: ["touch", `${name}.txt`] }, call_id);
export const decides = (outcome: string, more: object = {}): Step[] =>
  says(
    JSON.stringify({
      outcome,
      risk_level: "medium",
      user_authorization: "low",
      rationale: "Seems odd.",
      ...more,
    }),
  );

export interface Reviewed extends AsyncDisposable {
  server: TestServer;
  client: TestClient;
  threadId: string;
  /** Methods of the requests that the client was sent. */
  asked: string[];
}

/** Starts a thread whose approvals are reviewed; the user accepts what is asked. */
export async function startReviewed(
  model: TestServerOptions["model"],
  options: Partial<TestServerOptions> = {},
  prepare: (server: TestServer) => unknown = () => undefined,
): Promise<Reviewed> {
  const config = { approval_policy: "untrusted", ...options.config };
  const server = await startAppServer({ ...options, config, ...(model && { model }) });
  await prepare(server);
  const asked: string[] = [];
  const client = server.connect(({ method }) => {
    asked.push(method);
    return { decision: "accept" };
  });
  const threadId = await begin(client, { approvalsReviewer: "auto_review" });
  return {
    server,
    client,
    threadId,
    asked,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

export function paramsOf({ heard }: TestClient, method: string): Record<string, unknown>[] {
  return heard
    .filter((one) => one.method === method)
    .map(({ params }) => params as Record<string, unknown>);
}

export function isMade({ workspace }: TestServer, name: string): boolean {
  return existsSync(join(workspace, `${name}.txt`));
}

export async function writeRule(home: string, rule: string): Promise<void> {
  await mkdir(join(home, "rules"));
  await writeFile(join(home, "rules", "default.rules"), `${rule}\n`);
}

/** Texts of the outputs of calls in the last request. */
export function outputs({ prompts }: TestServer): string[] {
  return (prompts.at(-1)?.input ?? []).flatMap((item) =>
    item.type === "function_call_output" ? [String(item.output)] : [],
  );
}
