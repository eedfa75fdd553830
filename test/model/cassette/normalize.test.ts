import { expect, test } from "vitest";
import { RequestNormalizer } from "../../../src/model/cassette/normalize.js";

/** Returns the key of a request whose only item has this text. */
function keyOf(text: string, cwd = "/place/one"): string {
  const normalizer = new RequestNormalizer({ folders: { cwd }, redact: (one) => one });
  const body = Buffer.from(JSON.stringify({ input: [{ output: text }] }));
  return normalizer.normalize({ url: "http://h/v1/responses", body }).key;
}

test.each([
  ["Wall time: 0.12 seconds", "Wall time: 3.4 seconds"],
  ["Script completed\nWall time 0.9 seconds\n", "Script completed\nWall time 1.3 seconds\n"],
  ['{"duration_seconds":0.1}', '{"duration_seconds":12}'],
  ['{"chunk_id":"ab12","wall_time_seconds":0.05}', '{"chunk_id":"ff","wall_time_seconds":1e-7}'],
  ["command timed out after 718 milliseconds", "command timed out after 754 milliseconds"],
  ["aborted by user after 4.0s", "aborted by user after 3.9s"],
  ['{"agent_id":"a","nickname":"Recto"}', '{"agent_id":"a","nickname":"Scholion"}'],
  ["2026-01-01T10:00:00Z", "2027-12-31T23:59:59.123Z"],
])("requests with %j and %j are equal", (one, other) => {
  expect(keyOf(one)).toBe(keyOf(other));
});

test.each([
  ["3 files", "4 files"],
  ["Wall time", "wall time"],
  ["timed out", "aborted by user"],
])("requests with %j and %j are not", (one, other) => {
  expect(keyOf(one)).not.toBe(keyOf(other));
});
