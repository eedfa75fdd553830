import { join } from "node:path";
import { expect, test } from "vitest";
import { begin, say, startAppServer, told } from "../methods/thread.js";

const patch = "*** Begin Patch\n*** Add File: new.txt\n+hello\n*** End Patch";
const item = { type: "custom_tool_call", id: "i1", call_id: "c1", name: "apply_patch" };
const delta = { type: "response.custom_tool_call_input.delta", item_id: "i1" };
const options = {
  model: [
    [
      { type: "response.output_item.added", item: { ...item, input: "" } },
      { ...delta, delta: patch.slice(0, 38) },
      { ...delta, delta: patch.slice(38) },
      { type: "response.output_item.done", item: { ...item, input: patch } },
    ],
    [{ message: "Done." }],
  ],
  config: { features: { apply_patch_streaming_events: true } },
};

test("a patch is reported while it is streamed, before its item starts", async () => {
  await using server = await startAppServer(options);
  const client = server.connect();
  const threadId = await begin(client);

  const turnId = await say(client, threadId, "go");
  await client.until("turn/completed");

  const changes = (path: string, diff: string) => [{ path, kind: { type: "add" }, diff }];
  const updates = client.heard.filter(({ method }) => method === "item/fileChange/patchUpdated");
  expect(updates.map(({ params }) => params)).toEqual(
    ["", "hello\n"].map((diff) => ({
      threadId,
      turnId,
      itemId: "c1",
      changes: changes("new.txt", diff),
    })),
  );
  const names = told(client).filter((name) => /fileChange/.test(name));
  expect(names).toEqual([
    "item/fileChange/patchUpdated",
    "item/fileChange/patchUpdated",
    "item/started fileChange",
    "item/completed fileChange",
  ]);
  const started = client.heard.find(
    ({ method, params }) => method === "item/started" && /fileChange/.test(JSON.stringify(params)),
  );
  expect(started?.params).toMatchObject({
    item: { changes: changes(join(server.workspace, "new.txt"), "hello\n") },
  });
});
