import { describe, expect, test } from "vitest";
import { withClock } from "../../src/tools/clock.js";
import type { ToolContext, ToolTurn } from "../../src/tools/tool.js";
import type { ToolBox } from "../../src/tools/tool-box.js";

const found: unknown[] = [];
const box = {
  offered: () => [],
  find: (...key: unknown[]) => void found.push(key),
} as unknown as ToolBox;

async function call(name: string, input: unknown, { hasInput = false } = {}) {
  const seen: unknown[] = [];
  const context = {
    callId: "c1",
    now: () => Date.UTC(2026, 10, 18, 2, 3, 4, 567),
    emitItem: (...event: unknown[]) => void seen.push(event),
    async awaitInput(ms: number) {
      seen.push(ms);
      return hasInput;
    },
  } as unknown as ToolContext;
  const tool = withClock(box).find("function", name, "clock");
  return { seen, output: await tool?.run({ text: JSON.stringify(input) }, context) };
}

describe("the clock", () => {
  test.each([
    [{ clock: true }, false, ["clock"]],
    [{ clock: true }, true, []],
    [{}, false, []],
  ])("a model with %j, in a review: %s, is offered %j", (family, isReview, names) => {
    const specs = withClock(box).offered({ family, isReview } as ToolTurn);

    expect(specs.map((spec) => "name" in spec && spec.name)).toEqual(names);
  });

  test("other tools are those of the box", () => {
    found.length = 0;
    withClock(box).find("function", "sleep");
    withClock(box).find("custom", "sleep", "clock");

    expect(found).toEqual([
      ["function", "sleep", undefined],
      ["custom", "sleep", "clock"],
    ]);
  });

  test("the time is a sentence for the model and a value for scripts", async () => {
    const { output } = await call("curr_time", {});

    expect(output).toEqual({
      text: "It is 2026-11-18 02:03:04 UTC.",
      success: true,
      value: { current_time: "2026-11-18 02:03:04 UTC" },
    });
  });

  test.each([
    [false, "Sleep completed."],
    [true, "Sleep interrupted by new input."],
  ])("a sleep is an item; with new input: %s, its output is %s", async (hasInput, text) => {
    const { seen, output } = await call("sleep", { duration_ms: 300 }, { hasInput });

    const item = { type: "Sleep", id: "c1", duration_ms: 300 };
    expect(seen).toEqual([["item_started", item], 300, ["item_completed", item]]);
    expect(output?.text).toMatch(new RegExp(`^Wall time: 0\\.\\d{4} seconds\\n${text}$`));
  });

  test.each([0, -1, 0.5, 43_200_001, 1e300])("a sleep of %d ms is refused", async (duration_ms) => {
    const { seen, output } = await call("sleep", { duration_ms });

    expect(seen).toEqual([]);
    expect(output).toEqual({
      text: "duration_ms must be between 1 and 43200000",
      success: false,
    });
  });
});
