import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { nextOrdinal } from "../../src/rollout/next-ordinal.js";
import { RolloutRecorder } from "../../src/rollout/recorder.js";
import { item, message, meta, type TestHome, temporaryHome } from "./support.js";

function numbered(lines: readonly object[]): object[] {
  return lines.map((line, ordinal) => ({ ordinal, ...line }));
}

async function goOn(home: TestHome, name: string): Promise<unknown[]> {
  const path = join(home.path, name);
  const options = { path, now: () => 0, onFailure() {}, create: "never" } as const;
  const recorder = new RolloutRecorder(options);
  recorder.append({ type: "response_item", payload: message("user", "one") });
  recorder.append({ type: "response_item", payload: message("user", "two") });
  await recorder.close();
  const lines = readFileSync(path, "utf8").trimEnd().split("\n").slice(-2);
  return lines.map((line) => JSON.parse(line).ordinal);
}

test("a file whose lines are numbered is gone on with from its last number", async () => {
  await using home = await temporaryHome();
  home.write("r.jsonl", numbered([meta(), item(message("user", "zero"))]));

  expect(await goOn(home, "r.jsonl")).toEqual([2, 3]);
});

test("a file without numbers stays without", async () => {
  await using home = await temporaryHome();
  home.write("r.jsonl", [meta(), item(message("user", "zero"))]);

  expect(await goOn(home, "r.jsonl")).toEqual([undefined, undefined]);
});

test("a torn last line is passed over", async () => {
  await using home = await temporaryHome();
  home.write("r.jsonl", [...numbered([meta()]), '{"ordinal":1,"type":"respo']);

  expect(await goOn(home, "r.jsonl")).toEqual([1, 2]);
});

test("the last line may be longer than what is read at once", async () => {
  await using home = await temporaryHome();
  const long = item(message("user", "ü".repeat(300_000)));
  const path = home.write("r.jsonl", numbered([meta(), long]));

  expect(nextOrdinal(path)).toBe(2);
});

test("a file that is missing, empty or no log has no numbers", async () => {
  await using home = await temporaryHome();
  const files = [
    join(home.path, "none"),
    home.write("empty", []),
    home.write("text", ["a\nb\n"]),
    home.write("odd", ['{"ordinal":"7"}\n']),
  ];

  expect(files.map((path) => nextOrdinal(path))).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});
