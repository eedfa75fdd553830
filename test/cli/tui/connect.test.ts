import { expect, test } from "vitest";
import { createLateClient } from "../../../src/cli/tui/connect.js";
import { connectAppServer } from "../../../src/client/index.js";
import { serveAppServer } from "../../../src/server/app-server.js";
import { linkedChannels } from "../../../src/transport/index.js";
import { startAppServer } from "../../support/app-server.js";

test("connects with the first request, and earlier listeners receive all notifications", async () => {
  await using server = await startAppServer();
  let connections = 0;
  const client = createLateClient(() => {
    connections += 1;
    const [own, theirs] = linkedChannels();
    void serveAppServer(theirs, server.server);
    return connectAppServer(own);
  });
  const heard: string[] = [];
  client.onNotification(({ method }) => heard.push(method));
  const deaf: string[] = [];
  client.onNotification(({ method }) => deaf.push(method))();

  expect(connections).toBe(0);
  expect(() => client.server).toThrow("Connection is not initialized");
  await Promise.all([client.request("account/read", {}), client.request("thread/start", {})]);

  expect(connections).toBe(1);
  expect(heard).toContain("thread/started");
  expect(deaf).toEqual([]);
  expect(client.server.userAgent).toEqual(expect.any(String));
  await client.close();
  expect(client.signal.aborted).toBe(true);
  await client.closed;
});

test("requests reject if the connection fails", async () => {
  const client = createLateClient(() => Promise.reject(new Error("nobody is there")));

  await expect(client.request("account/read", {})).rejects.toThrow("nobody is there");
  await client.close();
});
