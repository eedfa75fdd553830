import { expect, test } from "vitest";
import type { EraName } from "../../src/compat/index.js";
import type { Prompt } from "../../src/model/types.js";
import { startTestCodex, type TestCodex, text } from "../support/codex.js";
import { says } from "../support/model.js";

const go = { type: "user_input", items: text("go") } as const;
const config = { model: "gpt-6-sol", approval_policy: "never" };
const sleep = (ms: number) => [
  { call: "sleep", namespace: "clock", args: { duration_ms: ms }, call_id: "s1" },
];

async function untilAsleep(codex: TestCodex): Promise<void> {
  while ((await codex.until("item_started")).msg.item.type !== "Sleep");
}

function outputOf(prompt: Prompt | undefined): string {
  const item = prompt?.input.find((one) => one.type === "function_call_output");
  return item?.type === "function_call_output" ? String(item.output) : "";
}

test("a message of the user ends a sleep, and comes after its output", async () => {
  const model = [sleep(3_600_000), says("Done.")];
  await using codex = await startTestCodex({ era: "0.166", model, config, items: true });
  codex.submit(go);
  await untilAsleep(codex);

  codex.submit({ type: "user_input", items: text("hurry") });
  await codex.until("task_complete");

  expect(outputOf(codex.prompts[1])).toMatch(/\nSleep interrupted by new input\.$/);
  expect(JSON.stringify(codex.prompts[1]?.input.at(-1))).toContain("hurry");
});

test.each<[EraName, string, boolean]>([
  ["0.166", "gpt-6-sol", true],
  ["0.166", "gpt-5.6-luna", false],
  ["0.166", "gpt-5.5", false],
  ["current", "gpt-6-sol", false],
])("in %s, %s is told about the default mode: %s", async (era, model, expected) => {
  await using codex = await startTestCodex({ era, model: [says("Hi.")], config: { model } });

  await codex.turn(go);

  expect(JSON.stringify(codex.prompts[0]?.input).includes("<collaboration_mode>")).toBe(expected);
});

test.each([
  ["gpt-6-sol", "developer"],
  ["gpt-5.5", "user"],
])("after an interrupt %s gets a notice of the %s", async (model, role) => {
  const steps = [sleep(3_600_000), says("Hi.")];
  await using codex = await startTestCodex({
    era: "0.166",
    model: steps,
    config: { model },
    items: true,
  });
  codex.submit(go);
  await untilAsleep(codex);

  codex.submit({ type: "interrupt" });
  await codex.until("turn_aborted");
  await codex.turn(go);

  const items = codex.prompts[1]?.input ?? [];
  const notice = items.find((item) => JSON.stringify(item).includes("<turn_aborted>"));
  expect(notice).toMatchObject({ type: "message", role });
});
