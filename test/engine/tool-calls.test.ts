import { expect, test } from "vitest";
import { defineTool, ok, parameters } from "../../src/tools/index.js";
import { startTestCodex, text } from "../support/codex.js";
import { calls, says } from "../support/model.js";

/** A tool that logs the start and end of its calls; `step` ends them. */
function watchedTool(name: string, isReadOnly: boolean, log: string[], step: () => Promise<void>) {
  return defineTool({
    name,
    description: name,
    input: parameters({ n: { type: "number" } }, ["n"]),
    isReadOnly: () => isReadOnly,
    async run({ n }) {
      log.push(`${name} ${n} begins`);
      await step();
      log.push(`${name} ${n} ends`);
      return ok(`${name} ${n}`);
    },
  });
}

const go = { type: "user_input", items: text("go") } as const;

test("calls that change nothing run side by side; the others wait for all before them", async () => {
  const log: string[] = [];
  const tick = () => new Promise<void>((resolve) => setTimeout(resolve, 20));
  await using codex = await startTestCodex({
    model: [
      [
        ...calls("look", { n: 1 }, "c1"),
        ...calls("look", { n: 2 }, "c2"),
        ...calls("change", { n: 3 }, "c3"),
        ...calls("look", { n: 4 }, "c4"),
      ],
      says("Done."),
    ],
    tools: [watchedTool("look", true, log, tick), watchedTool("change", false, log, tick)],
  });

  await codex.turn(go);

  expect(log).toEqual([
    "look 1 begins",
    "look 2 begins",
    "look 1 ends",
    "look 2 ends",
    "change 3 begins",
    "change 3 ends",
    "look 4 begins",
    "look 4 ends",
  ]);
  const outputs = codex.prompts[1]?.input.flatMap((item) =>
    "output" in item ? [item.output] : [],
  );
  expect(outputs).toEqual(["look 1", "look 2", "change 3", "look 4"]);
});

test("in the eras that ran them one by one they still do", async () => {
  const log: string[] = [];
  await using codex = await startTestCodex({
    era: "0.42",
    model: [[...calls("look", { n: 1 }, "c1"), ...calls("look", { n: 2 }, "c2")], says("Done.")],
    tools: [watchedTool("look", true, log, async () => {})],
  });

  await codex.turn(go);

  expect(log).toEqual(["look 1 begins", "look 1 ends", "look 2 begins", "look 2 ends"]);
});
