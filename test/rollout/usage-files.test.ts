import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readFileTurns, readFileUsage } from "../../src/rollout/usage.js";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "quire-usage-files-"));
});
afterAll(() => rm(folder, { recursive: true }));

let files = 0;
async function write(...lines: (object | string)[]): Promise<string> {
  const path = join(folder, `${files++}.jsonl`);
  const text = lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line)));
  await writeFile(path, text.join("\n"));
  return path;
}

const at = (second: number) => `2026-03-01T12:00:${String(second).padStart(2, "0")}.000Z`;
const event = (type: string, second: number, fields: object = {}) => ({
  timestamp: at(second),
  type: "event_msg",
  payload: { type, ...fields },
});
const meta = (fields: object = {}) => ({
  timestamp: at(0),
  type: "session_meta",
  payload: { id: "t", cwd: "/w", timestamp: at(0), ...fields },
});
const model = (name: string) => ({
  timestamp: at(0),
  type: "turn_context",
  payload: { model: name },
});
const count = (second: number, total: number | null, last?: number) => {
  const usage = (input: number) => ({ input_tokens: input, output_tokens: 0 });
  const info =
    total === null
      ? null
      : {
          total_token_usage: usage(total),
          ...(last === undefined ? {} : { last_token_usage: usage(last) }),
        };
  return event("token_count", second, { info });
};

describe("tokens of a rollout", () => {
  test.each<[string, (object | string)[], [model: string, responses: number, input: number][]]>([
    ["no lines", [], []],
    ["no counts", [meta(), model("m")], []],
    ["one count", [meta(), model("m"), count(1, 5)], [["m", 1, 5]]],
    ["a count without a model", [meta(), count(1, 5)], [["unknown", 1, 5]]],
    ["growing counts", [meta(), model("m"), count(1, 5), count(2, 12)], [["m", 2, 12]]],
    ["a repeated count", [meta(), model("m"), count(1, 5), count(2, 5)], [["m", 1, 5]]],
    ["a count from zero again", [meta(), model("m"), count(1, 9), count(2, 4)], [["m", 2, 13]]],
    ["a count of limits alone", [meta(), model("m"), count(1, null), count(2, 4)], [["m", 1, 4]]],
    ["a count of nothing", [meta(), model("m"), count(1, 0)], []],
    [
      "another model",
      [meta(), model("a"), count(1, 5), model("b"), count(2, 8)],
      [
        ["a", 1, 5],
        ["b", 1, 3],
      ],
    ],
    ["a broken line", [meta(), model("m"), '{"token_count"', count(1, 5)], [["m", 1, 5]]],
    ["a line of another kind", [meta(), "5", '"token_count"', count(1, 5)], [["unknown", 1, 5]]],
    [
      "a null payload",
      [meta(), { type: "turn_context", payload: null }, count(1, 5)],
      [["unknown", 1, 5]],
    ],
    [
      "a copy with its last count",
      [meta({ forked_from_id: "s" }), count(1, 90, 5)],
      [["unknown", 1, 5]],
    ],
    [
      "a copy after the counts of its source",
      [meta({ forked_from_id: "s", timestamp: at(10) }), count(1, 90), count(11, 97)],
      [["unknown", 1, 7]],
    ],
  ])("with %s", async (_, lines, expected) => {
    const records = readFileUsage(await write(...lines), "t");

    expect(records.map((one) => [one.model, one.responses, one.input])).toEqual(expected);
    for (const { threadId, project } of records) expect([threadId, project]).toEqual(["t", "/w"]);
  });

  test("a file that is not there has none", () => {
    expect(readFileUsage(join(folder, "missing"), "t")).toEqual([]);
    expect(readFileTurns(join(folder, "missing"))).toEqual({ turns: 0, seconds: 0 });
  });
});

describe("turns of a rollout", () => {
  const started = (second: number) => event("task_started", second);
  const complete = (second: number) => event("task_complete", second);
  const aborted = (second: number) => event("turn_aborted", second);

  test.each<[string, object[], string | undefined, number, number]>([
    ["none", [], undefined, 0, 0],
    ["one", [started(1), complete(4)], undefined, 1, 3],
    ["two", [started(1), complete(4), started(10), aborted(11)], undefined, 2, 4],
    ["one that has not ended", [started(1)], undefined, 1, 0],
    ["one that was cut, and another", [started(1), started(5), complete(7)], undefined, 2, 2],
    ["an end without a start", [complete(4)], undefined, 0, 0],
    ["two ends", [started(1), aborted(2), complete(9)], undefined, 1, 1],
    ["a clock that was set back", [started(9), complete(4)], undefined, 1, 0],
    ["those since a time", [started(1), complete(4), started(10), complete(12)], at(10), 1, 2],
    ["the end of an earlier one", [started(1), complete(12)], at(10), 0, 0],
  ])("%s", async (_, lines, since, turns, seconds) => {
    const path = await write(meta(), ...lines);

    expect(readFileTurns(path, since)).toEqual({ turns, seconds });
  });
});
