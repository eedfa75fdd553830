import { describe, expect, test, vi } from "vitest";
import { createReconnectingClient } from "../../../src/cli/tui/reconnecting-client.js";
import type { AppServerClient, ServerNotification } from "../../../src/client/index.js";

/** A connection that a test can lose. */
function createConnection(name: string) {
  let lose = () => {};
  const listeners = new Set<(notification: ServerNotification) => void>();
  const handlers: string[] = [];
  const client = {
    server: { userAgent: name },
    closed: new Promise<void>((resolve) => {
      lose = resolve;
    }),
    request: async (method: string) => `${name}: ${method}`,
    onNotification(listener: (notification: ServerNotification) => void) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    onRequest(method: string) {
      handlers.push(method);
      return () => handlers.splice(handlers.indexOf(method), 1);
    },
    close: async () => lose(),
  } as unknown as AppServerClient;
  const notify = (method: string) => {
    for (const listener of listeners) listener({ method } as ServerNotification);
  };
  return { client, lose: () => lose(), notify, handlers };
}

describe("a client that reconnects", () => {
  test("moves listeners and handlers to the new connection", async () => {
    const [first, second] = [createConnection("first"), createConnection("second")];
    const client = createReconnectingClient(first.client, async () => second.client);
    const methods: string[] = [];
    const changes: string[] = [];
    client.onNotification(({ method }) => methods.push(method));
    client.onRequest("item/tool/call" as never, (() => undefined) as never);
    client.reconnection.onLost = () => changes.push("lost");
    client.reconnection.onRestored = () => changes.push("restored");
    first.notify("one" as never);

    first.lose();
    await vi.waitFor(() => expect(changes).toEqual(["lost"]));
    await expect(client.request("x" as never, {} as never)).rejects.toThrow(
      "Not connected to the server",
    );
    await vi.waitFor(() => expect(changes).toEqual(["lost", "restored"]));
    second.notify("two" as never);

    expect(changes).toEqual(["lost", "restored"]);
    expect(methods).toEqual(["one", "two"]);
    expect(second.handlers).toEqual(["item/tool/call"]);
    expect(client.server).toEqual({ userAgent: "second" });
    expect(await client.request("x" as never, {} as never)).toBe("second: x");
  });

  test("does not reconnect after it is closed", async () => {
    const first = createConnection("first");
    const connect = vi.fn(async () => createConnection("second").client);
    const client = createReconnectingClient(first.client, connect);
    await client.close();
    await client.closed;
    await first.client.closed;

    expect(connect).not.toHaveBeenCalled();
    expect(client.signal.aborted).toBe(true);
  });
});
