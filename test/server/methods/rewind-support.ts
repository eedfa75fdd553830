import { stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ThreadRewindResponse } from "../../../src/protocol/rpc/v2/rewind.js";
import type { Turn } from "../../../src/protocol/rpc/v2/turn.js";
import type { TestClient } from "../../support/server.js";
import { type Page, texts } from "./support.js";

/** Settings of a thread that runs everything. */
export const full = { sandbox: "danger-full-access", approvalPolicy: "never" };

/** A response that runs a shell script, and the final one. */
export function runs(script: string, id: string) {
  return [
    [{ call: "shell", args: { command: ["sh", "-c", script] }, call_id: id }],
    [{ message: `done ${id}` }],
  ];
}

/** A response that applies a patch, and the final one. */
export function patches(patch: string, id: string) {
  const input = `*** Begin Patch\n${patch}\n*** End Patch`;
  return [[{ call: "apply_patch", args: { input }, call_id: id }], [{ message: `done ${id}` }]];
}

/** Writes files of a workspace. */
export async function write(cwd: string, files: Record<string, string>): Promise<void> {
  for (const [name, text] of Object.entries(files)) await writeFile(join(cwd, name), text);
}

/** Sends `thread/rewind`. */
export function rewind(client: TestClient, params: object): Promise<ThreadRewindResponse> {
  return client.call("thread/rewind", params) as Promise<ThreadRewindResponse>;
}

/** Returns true if nothing is at a path. */
export const gone = (path: string) =>
  stat(path).then(
    () => false,
    () => true,
  );

/** Returns the messages of the user in the conversation. */
export async function turnTexts(
  client: TestClient,
  threadId: string,
): Promise<(string | undefined)[]> {
  const params = { threadId, sortDirection: "asc" };
  const { data } = (await client.call("thread/turns/list", params)) as Page<Turn>;
  return texts(data).map(([first]) => first);
}
