import { expect, test } from "vitest";
import type { EraName } from "../../src/compat/index.js";
import { systemClock } from "../../src/lib/clock.js";
import type { Step } from "../../src/model/scripted/index.js";
import { startTestCodex, text } from "../support/codex.js";
import { says } from "../support/model.js";

const go = { type: "user_input", items: text("go") } as const;
const features = { apply_patch_streaming_events: true };

/** The model writes the input of a tool in pieces. */
function writes(pieces: readonly string[], { name = "apply_patch", ids = true } = {}): Step[] {
  const id = ids ? { id: "i1" } : {};
  const place = ids ? { item_id: "i1" } : {};
  const item = { type: "custom_tool_call", ...id, call_id: "c1", name };
  return [
    { type: "response.output_item.added", item: { ...item, input: "" } },
    ...pieces.map((delta) => ({
      type: "response.custom_tool_call_input.delta",
      ...place,
      delta,
    })),
    { type: "response.output_item.done", item: { ...item, input: pieces.join("") } },
  ] as unknown as Step[];
}

/** Every look at the clock takes `ms`. */
function steppingClock(ms: number) {
  let now = 0;
  return { ...systemClock, now: () => (now += ms) };
}

interface Parts {
  ms?: number;
  era?: EraName;
  on?: boolean;
}

async function updates(steps: Step[], { ms = 1000, era = "current", on = true }: Parts = {}) {
  await using codex = await startTestCodex({
    model: [steps, says("Done.")],
    clock: steppingClock(ms),
    era,
    config: { features: on ? features : {} },
  });
  const events = await codex.turn(go);
  return events.filter((msg) => msg.type === "patch_apply_updated");
}

const pieces = [
  "*** Begin Patch\n",
  "*** Add File: new.txt\n+hel",
  "lo\n+wor",
  "ld\n*** Update File: old.txt\n*** Move to: moved.txt\n@@ f\n a\n-b\n+c\n*** End of File\n",
  "*** Delete File: gone.txt\n*** End Patch",
];
const added = (content: string) => ({ type: "add", content }) as const;
const whole = {
  "new.txt": added("hello\nworld\n"),
  "old.txt": {
    type: "update",
    unified_diff: "@@ f\n-a\n-b\n+a\n+c\n*** End of File\n",
    move_path: "moved.txt",
  },
  "gone.txt": { type: "delete", content: "" },
};

test("a patch is previewed as it grows, each time completely", async () => {
  const told = await updates(writes(pieces));

  const { "gone.txt": gone, ...before } = whole;
  expect(gone).toBeDefined();
  expect(told).toEqual(
    [{ "new.txt": added("") }, { "new.txt": added("hello\n") }, before, whole].map((changes) => ({
      type: "patch_apply_updated",
      call_id: "c1",
      changes,
    })),
  );
});

test("there are at most two previews per second, and a final one", async () => {
  const told = await updates(writes(pieces), { ms: 1 });

  expect(told.map(({ changes }) => changes)).toEqual([{ "new.txt": added("") }, whole]);
});

test("a patch whose item has no id is previewed too", async () => {
  const told = await updates(writes(pieces, { ids: false }));

  expect(told.at(-1)?.changes).toEqual(whole);
});

test.each<[string, Step[], Parts]>([
  ["where the settings do not want it", writes(pieces), { on: false }],
  ["in versions that did not tell it", writes(pieces), { era: "0.104" }],
  ["of the input of other tools", writes(pieces, { name: "other" }), {}],
  ["of what is no patch", writes(["what\n", ...pieces]), {}],
])("nothing is told %s", async (_, steps, parts) => {
  expect(await updates(steps, parts)).toEqual([]);
});

test("the rest of an invalid patch is not previewed", async () => {
  const told = await updates(writes(pieces.slice(0, 3)), { ms: 1 });

  expect(told.map(({ changes }) => changes)).toEqual([{ "new.txt": added("") }]);
});
