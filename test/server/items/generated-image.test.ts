import { expect, test } from "vitest";
import { says } from "../../support/model.js";
import { begin, say, startAppServer } from "../methods/thread.js";

const result = Buffer.from("\x89PNG a red dot", "latin1").toString("base64");
const draws = {
  type: "response.output_item.done",
  item: {
    type: "image_generation_call",
    id: "ig_1",
    status: "completed",
    revised_prompt: "a red dot",
    result,
  },
};
const always = { type: "imageGeneration", id: "ig_1", failure: null, generationId: null };

test("clients are notified of a picture with its path, and read it later without its bytes", async () => {
  await using server = await startAppServer({ model: [[draws, ...says("There.")]] });
  const client = server.connect();
  const threadId = await begin(client);

  await say(client, threadId, "draw a dot");
  await client.until("turn/completed");

  const savedPath = expect.stringMatching(/\/generated_images\/[\w-]+\/ig_1\.png$/);
  const picture = { ...always, revisedPrompt: "a red dot", status: "completed", savedPath };
  const items = client.heard.flatMap(({ method, params }) => {
    const { item } = (params ?? {}) as { item?: { type: string } };
    return item?.type === "imageGeneration" ? [[method, item]] : [];
  });
  expect(items).toMatchObject([
    ["item/started", { ...always, status: "in_progress", result: "" }],
    ["item/completed", { ...picture, result }],
  ]);
  await client.call("thread/unsubscribe", { threadId });
  const { thread } = (await client.call("thread/read", { threadId, includeTurns: true })) as {
    thread: { turns: { items: { type: string }[] }[] };
  };
  const read = thread.turns
    .flatMap((turn) => turn.items)
    .filter(({ type }) => type === always.type);
  expect(read).toMatchObject([{ ...picture, result: "" }]);
});
