import { join } from "node:path";
import { expect, test } from "vitest";
import {
  fileTime,
  isTime,
  isUuid,
  parseRolloutFileName,
  rolloutDay,
  rolloutPath,
} from "../../src/rollout/file-name.js";

const id = "0192c7a1-0000-7000-8000-000000000001";
const other = "0192c7a1-0000-7000-8000-000000000002";

test.each<[string, ReturnType<typeof parseRolloutFileName>]>([
  [`rollout-2025-01-31T12-00-00-${id}.jsonl`, { time: "2025-01-31T12-00-00", id, rolloutId: id }],
  [
    `rollout-2025-01-31T12-00-00-${id.toUpperCase()}_${other}.jsonl`,
    { time: "2025-01-31T12-00-00", id, rolloutId: other },
  ],
  [`rollout-2025-13-31T12-00-00-${id}.jsonl`, undefined],
  [`rollout-2025-02-29T12-00-00-${id}.jsonl`, undefined],
  [`rollout-2025-01-31T24-00-00-${id}.jsonl`, undefined],
  [`rollout-2025-01-31T12-00-00-${id}.json`, undefined],
  [`rollout-2025-01-31T12-00-00-${id}.jsonl.part`, undefined],
  [`.rollout-2025-01-31T12-00-00-${id}.jsonl`, undefined],
  ["rollout-2025-01-31T12-00-00-x.jsonl", undefined],
])("parses the file name %j", (name, expected) => {
  expect(parseRolloutFileName(name)).toEqual(expected);
});

test.each<[string, boolean]>([
  [id, true],
  [id.toUpperCase(), true],
  [`${id}0`, false],
  [id.replaceAll("-", ""), false],
  [`${id}\n`, false],
])("isUuid(%j) is %j", (text, expected) => {
  expect(isUuid(text)).toBe(expected);
});

test.each<[string, boolean]>([
  ["2024-02-29T23-59-59", true],
  ["2025-02-29T00-00-00", false],
  ["2025-01-01T00:00:00", false],
  ["2025-01-01", false],
])("isTime(%j) is %j", (text, expected) => {
  expect(isTime(text)).toBe(expected);
});

test("the path of a rollout is by local day, and its name parses again", () => {
  const started = new Date(2025, 0, 5, 7, 8, 9);

  const path = rolloutPath("/home", started, id);

  expect(path).toBe(join("/home/sessions/2025/01/05", `rollout-2025-01-05T07-08-09-${id}.jsonl`));
  expect(parseRolloutFileName(path.slice(path.lastIndexOf("/") + 1))?.id).toBe(id);
  expect(rolloutDay(started)).toBe(join("2025", "01", "05"));
  expect(fileTime(started)).toBe("2025-01-05T07-08-09");
});
