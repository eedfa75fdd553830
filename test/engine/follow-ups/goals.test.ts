import { expect, test } from "vitest";
import type { EventMsg, Goal } from "../../../src/protocol/types.js";
import { startTestCodex, type TestCodex, text } from "../../support/codex.js";
import { calls, fails, says } from "../../support/model.js";

const usage = {
  input_tokens: 100,
  input_tokens_details: { cached_tokens: 20 },
  output_tokens: 30,
  output_tokens_details: { reasoning_tokens: 5 },
  total_tokens: 130,
};

/** An answer that costs 110 tokens. */
function costs(steps: ReturnType<typeof says>): ReturnType<typeof says> {
  return [...steps, { completed: true, usage }];
}

test("turns follow until the model completes the goal", async () => {
  const words = ["One.", "Two.", "Three.", "Four."];
  const model = [
    ...words.map((word) => costs(says(word))),
    costs(calls("update_goal", { status: "complete" })),
    costs(says("Done.")),
  ];
  await using codex = await startTestCodex({ model });

  codex.submit({ type: "set_thread_goal", objective: " make it pass " });
  await goalWhere(codex, "complete");
  await codex.until("task_complete");
  await settled(codex);

  expect(started(codex)).toBe(5);
  expect(lastGoal(codex)).toMatchObject({
    objective: "make it pass",
    status: "complete",
    tokensUsed: 440,
  });
  expect(codex.prompts.at(-1)?.input.map((item) => JSON.stringify(item))).toEqual(
    expect.arrayContaining([expect.stringContaining('<codex_internal_context source=\\"goal\\">')]),
  );
});

test.each([
  ["fails", [fails(400)], "blocked", 1],
  [
    "is blocked for the model",
    [calls("update_goal", { status: "blocked" }), says("?")],
    "blocked",
    1,
  ],
  [
    "is over its plan's limit",
    [fails(429, { error: { type: "usage_limit_reached", message: "limit" } })],
    "usageLimited",
    1,
  ],
  [
    "is paused by the model",
    [says("a"), calls("update_goal", { status: "paused" }), says("?")],
    "paused",
    2,
  ],
] as const)("no turn follows one that %s", async (_, model, status, turns) => {
  await using codex = await startTestCodex({ model: model.map((answer) => [...answer]) });

  codex.submit({ type: "set_thread_goal", objective: "work" });
  await goalWhere(codex, status);
  await codex.until("task_complete");
  await settled(codex);

  expect(started(codex)).toBe(turns);
});

test("a used-up budget ends the pursuit, and a higher one with a new status continues it", async () => {
  const model = [
    costs(calls("update_plan", { plan: [] })),
    costs(calls("update_plan", { plan: [] }, "c2")),
    costs(says("Wrapping up.")),
    costs(calls("update_goal", { status: "complete" })),
    costs(says("Done.")),
  ];
  const config = { include_plan_tool: true };
  await using codex = await startTestCodex({ model, config });

  codex.submit({ type: "set_thread_goal", objective: "be brief", token_budget: 200 });
  await codex.until("task_complete");
  await settled(codex);
  const limited = lastGoal(codex);
  codex.submit({ type: "set_thread_goal", token_budget: 1000 });
  await settled(codex);
  const raised = { goal: lastGoal(codex), turns: started(codex) };
  codex.submit({ type: "set_thread_goal", status: "active" });
  await codex.until("task_complete");

  expect(limited).toMatchObject({ status: "budgetLimited", tokensUsed: 330 });
  expect(JSON.stringify(codex.prompts[2]?.input.at(-1))).toContain("is used up");
  expect(raised).toMatchObject({ goal: { status: "budgetLimited" }, turns: 1 });
  expect(started(codex)).toBe(2);
});

test("an interrupt leaves the goal active, and only the user continues it", async () => {
  const model = [calls("exec_command", { cmd: "sleep 60" }), says("?"), fails(400)];
  const config = { model: "gpt-5.5", features: { unified_exec: true } };
  await using codex = await startTestCodex({ model, config });

  codex.submit({ type: "set_thread_goal", objective: "long work" });
  await codex.until("exec_command_begin");
  codex.submit({ type: "interrupt" });
  await codex.until("turn_aborted");
  await settled(codex);
  const held = { turns: started(codex), status: lastGoal(codex)?.status };
  await codex.turn({ type: "user_input", items: text("and?") });
  await goalWhere(codex, "blocked");

  expect(held).toEqual({ turns: 1, status: "active" });
  expect(started(codex)).toBe(3);
});

test("input of the user comes before the queue, and the queue before the goal", async () => {
  const model = [
    calls("exec_command", { cmd: "sleep 0.3" }),
    ...["first", "second", "third"].map((word) => says(word)),
    fails(400),
  ];
  const config = { model: "gpt-5.5", features: { unified_exec: true } };
  await using codex = await startTestCodex({ model, config });

  codex.submit({ type: "user_input", items: text("begin") });
  await codex.until("exec_command_begin");
  codex.submit({ type: "set_thread_goal", objective: "last" });
  codex.submit({ type: "queue_add", items: text("queued") });
  codex.submit({ type: "user_input", items: text("now") });
  await goalWhere(codex, "blocked");

  const [, joined, queued] = codex.prompts;
  const words = codex.prompts.map(({ input }) => lastText(input));
  expect(joined?.input.length).toBeLessThan(queued?.input.length ?? 0);
  expect(words.slice(1)).toEqual([
    "now",
    "queued",
    expect.stringContaining("last"),
    expect.any(String),
  ]);
});

test("a resumed session has the goal and continues it when it is active", async () => {
  await using codex = await startTestCodex({ model: [says("One."), fails(400)] });
  codex.submit({ type: "set_thread_goal", objective: "go on" });
  await goalWhere(codex, "blocked");
  codex.submit({ type: "set_thread_goal", status: "paused" });
  codex.submit({ type: "get_path" });
  const { msg } = await codex.until("conversation_path");
  await codex.shutdown();

  const again = { sharing: codex, configure: false, model: [says("Two."), fails(400)] };
  await using resumed = await startTestCodex(again);
  resumed.submit({ type: "configure_session", resume_path: msg.path });
  await resumed.until("session_configured");
  resumed.submit({ type: "continue_thread" });
  await settled(resumed);
  const whilePaused = started(resumed);
  resumed.submit({ type: "set_thread_goal", status: "active" });
  await goalWhere(resumed, "blocked");

  expect(whilePaused).toBe(0);
  expect(started(resumed)).toBe(2);
  expect(lastGoal(resumed)?.objective).toBe("go on");
});

test.each([
  [{ objective: "  " }, "goal objective must not be empty"],
  [{ objective: "y".repeat(4001) }, "goal objective must be at most 4000 characters"],
  [{ objective: "x", token_budget: 0 }, "goal budgets must be positive when provided"],
  [{ status: "paused" as const }, /cannot update goal for thread .*: no goal exists/],
])("a goal with %j is refused", async (goal, message) => {
  await using codex = await startTestCodex();

  codex.submit({ type: "set_thread_goal", ...goal });
  const { msg } = await codex.until("error");

  expect(msg.message).toMatch(message);
});

/** Waits until everything submitted so far is processed and nothing runs. */
async function settled(codex: TestCodex): Promise<void> {
  codex.submit({ type: "list_custom_prompts" });
  await codex.until("list_custom_prompts_response");
}

async function goalWhere(codex: TestCodex, status: Goal["status"]): Promise<void> {
  for (;;) if ((await codex.until("thread_goal_updated")).msg.goal.status === status) return;
}

function started({ events }: TestCodex): number {
  return events.filter(({ msg }) => msg.type === "task_started").length;
}

function lastGoal({ events }: TestCodex): Goal | undefined {
  const updates = events.flatMap(({ msg }) => (isUpdate(msg) ? [msg.goal] : []));
  return updates.at(-1);
}

function isUpdate(msg: EventMsg): msg is Extract<EventMsg, { type: "thread_goal_updated" }> {
  return msg.type === "thread_goal_updated";
}

function lastText(input: readonly unknown[]): string {
  const message = input.at(-1) as { content?: { text: string }[] };
  return message.content?.[0]?.text ?? "";
}
