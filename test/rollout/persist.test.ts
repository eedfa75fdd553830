import { expect, test } from "vitest";
import type { EventMsg } from "../../src/protocol/types.js";
import { isPersistedEvent, toPersistedEvent } from "../../src/rollout/index.js";

function ended(output: string): EventMsg {
  return {
    type: "exec_command_end",
    call_id: "c1",
    stdout: output,
    stderr: "",
    aggregated_output: output,
    exit_code: 0,
    duration: { secs: 0, nanos: 0 },
    formatted_output: output,
  };
}

test("results of calls are persisted only in eras that do so", () => {
  const msg = ended("hi");

  expect([
    isPersistedEvent(msg, { recordsTasks: true, recordsCalls: true }),
    isPersistedEvent(msg, { recordsTasks: true, recordsCalls: false }),
    isPersistedEvent(msg, { recordsTasks: true }),
  ]).toEqual([true, false, false]);
});

test("the start and end of a command's output are persisted, once", () => {
  const short = toPersistedEvent(ended("hi\n"));
  const long = toPersistedEvent(ended(`begin ${"é".repeat(100_000)} end`));

  expect(short).toMatchObject({ stdout: "", formatted_output: "", aggregated_output: "hi\n" });
  const { aggregated_output: kept } = long as { aggregated_output: string };
  expect(kept).toMatch(/^begin é+\n\[\.\.\. \d+ bytes left out \.\.\.\]\né+ end$/);
  expect(Buffer.byteLength(kept)).toBeLessThan(10_100);
});
