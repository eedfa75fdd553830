import { readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import type { EventMsg } from "../../src/protocol/types.js";
import { startTestCodex, type TestCodex, text } from "../support/codex.js";
import { says } from "../support/model.js";

const png = Buffer.from("\x89PNG\r\n\x1a\n and a red dot", "latin1");
const call = {
  type: "image_generation_call",
  id: "ig_1",
  status: "completed",
  revised_prompt: "a red dot",
  result: png.toString("base64"),
};
const begins = {
  type: "response.output_item.added",
  item: { type: "image_generation_call", id: "ig_1", status: "in_progress" },
};
const done = (item: object) => ({ type: "response.output_item.done", item });
const draw = { type: "user_input" as const, items: text("draw a dot") };

test("a picture of the model is saved where only the user can read it", async () => {
  const model = [[begins, done(call), ...says("There.")]];
  await using codex = await startTestCodex({ model, items: true });

  const events = await codex.turn(draw);

  const { saved_path: path = "" } = endOf(events);
  expect(dirname(dirname(path))).toBe(join(codex.home, "generated_images"));
  expect(path).toMatch(/\/ig_1\.png$/);
  expect(await readFile(path)).toEqual(png);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect((await stat(dirname(path))).mode & 0o777).toBe(0o700);
});

test("a picture begins and ends with its item and the events of older clients", async () => {
  const model = [[begins, done(call), ...says("There.")]];
  await using codex = await startTestCodex({ model, items: true });

  const events = await codex.turn(draw);

  const item = { type: "ImageGeneration", id: "ig_1" };
  const { saved_path } = endOf(events);
  const picture = { status: "completed", revised_prompt: "a red dot", result: call.result };
  expect(ofPicture(events)).toMatchObject([
    { type: "item_started", item: { ...item, status: "in_progress", result: "" } },
    { type: "image_generation_begin", call_id: "ig_1" },
    { type: "item_completed", item: { ...item, ...picture, saved_path } },
    { type: "image_generation_end", call_id: "ig_1", ...picture, saved_path },
  ]);
});

test("later requests contain the picture unchanged, and the log has it once", async () => {
  const model = [[begins, done(call), ...says("There.")], says("Red.")];
  await using codex = await startTestCodex({ model });
  await codex.turn(draw);
  await codex.turn({ type: "user_input", items: text("which color?") });

  expect(codex.prompts[1]?.input).toContainEqual(call);

  const rollout = await readOnlyRollout(codex);
  expect(rollout.filter((line) => line.includes(call.result))).toHaveLength(1);
  expect(rollout.some((line) => line.includes('"ImageGeneration"'))).toBe(true);
});

test.each([
  ["it is not base64", { ...call, result: "not base64!" }, /expected `result` to be base64/],
  ["it is too large", { ...call, result: "A".repeat(45_000_000) }, /expected at most 32 MiB/],
])("a picture is reported as not saved if %s", async (_, item, reason) => {
  await using codex = await startTestCodex({ model: [[done(item), ...says("There.")]] });

  const events = await codex.turn(draw);

  expect(events.find(({ type }) => type === "warning")).toMatchObject({
    message: expect.stringMatching(reason),
  });
  expect(endOf(events).saved_path).toBeUndefined();
  expect(events.at(-1)).toMatchObject({ type: "task_complete", last_agent_message: "There." });
});

test("a failed call saves nothing and warns of nothing", async () => {
  const failed = { type: "image_generation_call", id: "ig_1", status: "failed" };
  await using codex = await startTestCodex({ model: [[done(failed), ...says("No.")]] });

  const events = await codex.turn(draw);

  expect(endOf(events)).toMatchObject({ status: "failed", result: "" });
  expect(events.some(({ type }) => type === "warning")).toBe(false);
  expect(await readdir(codex.home)).not.toContain("generated_images");
});

test("an id of the model's server cannot leave the folder, nor a link in it", async () => {
  const evil = { ...call, id: "../../escaped" };
  await using codex = await startTestCodex({
    model: [
      [done(call), ...says("One.")],
      [done(call), done(evil), ...says("Two.")],
    ],
  });
  const { saved_path: path = "" } = endOf(await codex.turn(draw));
  const target = join(codex.home, "target");
  await writeFile(target, "kept");
  await rm(path);
  await symlink(target, path);

  const events = await codex.turn(draw);

  expect(await readFile(target, "utf8")).toBe("kept");
  expect(await readFile(path)).toEqual(png);
  expect(endOf(events.toReversed()).saved_path).toBe(join(dirname(path), "______escaped.png"));
});

test("0.104 has no such item", async () => {
  const model = [[begins, done(call), ...says("There.")]];
  await using codex = await startTestCodex({ era: "0.104", model, items: true });

  const events = await codex.turn(draw);

  expect(ofPicture(events)).toEqual([]);
  expect(await readdir(codex.home)).not.toContain("generated_images");
});

function endOf(events: readonly EventMsg[]) {
  const end = events.find((msg) => msg.type === "image_generation_end");
  if (end === undefined) throw new Error("expected `image_generation_end`");
  return end;
}

function ofPicture(events: readonly EventMsg[]): EventMsg[] {
  return events.filter((msg) => {
    const isItem = msg.type === "item_started" || msg.type === "item_completed";
    return isItem ? msg.item.type === "ImageGeneration" : msg.type.startsWith("image_generation");
  });
}

async function readOnlyRollout({ home }: TestCodex): Promise<string[]> {
  const names = await readdir(join(home, "sessions"), { recursive: true });
  const file = names.find((name) => name.endsWith(".jsonl")) ?? "";
  return (await readFile(join(home, "sessions", file), "utf8")).trim().split("\n");
}
