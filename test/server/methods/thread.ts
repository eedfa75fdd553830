import type { Notification } from "../../../src/jsonrpc/index.js";
import { initialize } from "../../support/app-server.js";
import type { TestClient } from "../../support/server.js";

export { initialize, startAppServer } from "../../support/app-server.js";

/** Initializes a client and starts a thread; returns its id. */
export async function begin(client: TestClient, params: object = {}): Promise<string> {
  await initialize(client);
  return startThread(client, params);
}

/** Starts a thread for an initialized client; returns its id. */
export async function startThread(client: TestClient, params: object = {}): Promise<string> {
  const { thread } = (await client.call("thread/start", params)) as { thread: { id: string } };
  await client.until("thread/started");
  client.heard.length = 0;
  return thread.id;
}

/** Starts a turn with a message; returns its id. */
export async function say(client: TestClient, threadId: string, text: string): Promise<string> {
  const input = [{ type: "text", text }];
  const { turn } = (await client.call("turn/start", { threadId, input })) as {
    turn: { id: string };
  };
  return turn.id;
}

/** Returns the methods that a client received, in order, without those of every request. */
export function told(client: TestClient): string[] {
  return client.heard.map(nameOf).filter((name) => !/token|rateLimits|token_count/.test(name));
}

function nameOf({ method, params }: Notification): string {
  const { item, status } = (params ?? {}) as {
    item?: { type: string };
    status?: { type: string; activeFlags?: string[] };
  };
  if (item !== undefined) return `${method} ${item.type}`;
  if (method !== "thread/status/changed") return method;
  return [method, status?.type, ...(status?.activeFlags ?? [])].join(" ");
}
