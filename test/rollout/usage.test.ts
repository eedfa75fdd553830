import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { groupUsage, priceOf } from "../../src/model/index.js";
import { readUsage } from "../../src/rollout/index.js";

const usage = (input: number, cached: number, output: number) => ({
  input_tokens: input,
  cached_input_tokens: cached,
  output_tokens: output,
  reasoning_output_tokens: 0,
  total_tokens: input + output,
});

interface Count {
  at: string;
  model: string;
  total: ReturnType<typeof usage>;
  last?: ReturnType<typeof usage>;
  /** Turn that starts before it. */
  turn?: string;
}

test("usage is the sum of what responses used, by day, model, project and thread", async () => {
  await using home = await makeHome();
  const [one, two, copy] = ["1", "2", "3"].map(
    (digit) => `01a1ebdf-5919-7de2-8f9c-00000000000${digit}`,
  );
  await home.write(one ?? "", {}, [
    { at: "2026-03-01T12:00:00Z", model: "gpt-5", total: usage(100, 20, 10) },
    { at: "2026-03-01T12:00:01Z", model: "gpt-5", total: usage(100, 20, 10) }, // repeated
    { at: "2026-03-02T12:00:00Z", model: "mystery", total: usage(300, 20, 30) },
  ]);
  await home.write(two ?? "", { cwd: "/b" }, [
    { at: "2026-03-02T12:00:00Z", model: "gpt-5", total: usage(50, 0, 5) },
    { at: "2026-03-02T12:01:00Z", model: "gpt-5", total: usage(10, 0, 1) }, // counts from zero again
  ]);
  await home.write(copy ?? "", { forked_from_id: two, timestamp: "2026-03-03T12:00:00Z" }, [
    { at: "2026-03-02T12:00:00Z", model: "gpt-5", total: usage(50, 0, 5) },
    { at: "2026-03-03T12:01:00Z", model: "gpt-5", total: usage(70, 0, 7) },
  ]);

  const records = await readUsage(home.path);
  const by = (group: "day" | "model" | "project" | "thread") =>
    groupUsage(records, group).rows.map(({ key, totalTokens }) => [key, totalTokens]);

  expect(by("day")).toEqual([
    ["2026-03-01", 110],
    ["2026-03-02", 220 + 66],
    ["2026-03-03", 22],
  ]);
  expect(by("model")).toEqual([
    ["gpt-5", 110 + 66 + 22],
    ["mystery", 220],
  ]);
  expect(by("project")).toEqual([
    ["/a", 330 + 22],
    ["/b", 66],
  ]);
  expect(by("thread")).toEqual([
    [one, 330],
    [two, 66],
    [copy, 22],
  ]);
  expect(groupUsage(records, "day").total).toMatchObject({
    cost: null,
    unpricedModels: ["mystery"],
  });
  const priced = groupUsage(records, "model", { mystery: { input: 1, output: 2 } }).total.cost;
  const gpt5 = (80 * 1.25 + 20 * 0.125 + 10 * 10 + 60 * 1.25 + 6 * 10 + 20 * 1.25 + 2 * 10) / 1e6;
  expect(priced).toBeCloseTo(gpt5 + (200 + 2 * 20) / 1e6, 10);
  expect(await readUsage(home.path, { threadId: two })).toMatchObject([
    { input: 60, responses: 2 },
  ]);
});

test("usage of one thread is the sum of its responses by turn", async () => {
  await using home = await makeHome();
  const id = "01a1ebdf-5919-7de2-8f9c-000000000004";
  await home.write(id, {}, [
    { at: "2026-03-01T12:00:00Z", model: "gpt-5", total: usage(100, 0, 10), turn: "t1" },
    { at: "2026-03-01T12:00:01Z", model: "mystery", total: usage(150, 0, 20) },
    { at: "2026-03-01T12:01:00Z", model: "gpt-5", total: usage(200, 0, 30), turn: "t2" },
  ]);

  const { rows } = groupUsage(await readUsage(home.path, { threadId: id, byTurn: true }), "turn");

  expect(
    rows.map(({ key, responses, totalTokens, cost }) => [key, responses, totalTokens, cost]),
  ).toEqual([
    ["t1", 2, 170, null],
    ["t2", 1, 60, expect.closeTo((50 * 1.25 + 10 * 10) / 1e6, 10)],
  ]);
});

test.each([
  ["gpt-5", {}, { input: 1.25, cached_input: 0.125, output: 10 }],
  ["gpt-5", { "gpt-5": { output: 1 } }, { input: 1.25, cached_input: 0.125, output: 1 }],
  ["gpt-5", { "gpt-5": { input: 3 } }, { input: 3, cached_input: 3, output: 10 }],
  ["own", { own: { input: 1, output: 2 } }, { input: 1, cached_input: 1, output: 2 }],
  ["own", { own: { input: 1 } }, undefined],
  ["toString", {}, undefined],
])("the price of %s with %j is %j", (model, configured, price) => {
  expect(priceOf(model, configured)).toEqual(price);
});

async function makeHome() {
  const path = await mkdtemp(join(tmpdir(), "quire-usage-"));
  const folder = join(path, "sessions", "2026", "03", "01");
  await mkdir(folder, { recursive: true });
  return {
    path,
    async write(id: string, meta: object, counts: readonly Count[]) {
      const begun = { id, timestamp: "2026-03-01T12:00:00Z", cwd: "/a", ...meta };
      const lines = counts.flatMap(({ at, model, total, last = total, turn }) => [
        ...(turn === undefined
          ? []
          : [
              {
                timestamp: at,
                type: "event_msg",
                payload: { type: "task_started", turn_id: turn },
              },
            ]),
        { timestamp: at, type: "turn_context", payload: { model } },
        { timestamp: at, type: "response_item", payload: { text: '"token_count" in a text' } },
        {
          timestamp: at,
          type: "event_msg",
          payload: {
            type: "token_count",
            info: { total_token_usage: total, last_token_usage: last },
          },
        },
      ]);
      const all = [{ timestamp: begun.timestamp, type: "session_meta", payload: begun }, ...lines];
      const text = `${all.map((line) => JSON.stringify(line)).join("\n")}\n{"torn`;
      await writeFile(join(folder, `rollout-2026-03-01T12-00-00-${id}.jsonl`), text);
    },
    [Symbol.asyncDispose]: () => rm(path, { recursive: true }),
  };
}
