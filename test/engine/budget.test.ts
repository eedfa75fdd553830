import { expect, test } from "vitest";
import type { EventMsg } from "../../src/protocol/types.js";
import { spawn, wait } from "../support/agents.js";
import { startTestCodex, text } from "../support/codex.js";
import { calls, says } from "../support/model.js";

const usage = {
  input_tokens: 100,
  input_tokens_details: { cached_tokens: 20 },
  output_tokens: 30,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 130,
};

/** An answer that costs 110 tokens. */
function costs(steps: ReturnType<typeof says>): ReturnType<typeof says> {
  return [...steps, { completed: true, usage }];
}

const plan = (id: string) => costs(calls("update_plan", { plan: [] }, id));
const model = [plan("c1"), plan("c2"), plan("c3"), costs(says("Done."))];
const prices = { m: { input: 1000, output: 1000 } };

test.each([
  ["turn", { tokens: 200 }, 2, "220 tokens of 200 tokens"],
  ["session", { turns: 3 }, 3, "3 of 3"],
  ["thread", { tokens: 300 }, 3, "330 tokens of 300 tokens"],
  ["tree", { money: 0.2 }, 2, "$0.2600 of $0.2000"],
  ["day", { tokens: 100 }, 1, "110 tokens of 100 tokens"],
])("the budget of a %s with %j ends the turn", async (scope, limits, requests, why) => {
  const config = {
    include_plan_tool: true,
    model: "m",
    model_prices: prices,
    budget: { [scope]: limits },
  };
  await using codex = await startTestCodex({ model, config });

  const events = await codex.turn({ type: "user_input", items: text("go") });

  expect(codex.prompts).toHaveLength(requests);
  const [kind] = Object.keys(limits);
  const message = `The budget \`budget.${scope}.${kind}\` is used up: ${why}. Raise it to continue`;
  expect(of(events, "error")).toEqual([
    { type: "error", message, codex_error_info: "budget_exceeded" },
  ]);
  expect(events.at(-1)).toMatchObject({ type: "task_complete" });
  expect(
    of(events, "warning").filter(({ message }) => /% of the budget/.test(message)),
  ).toHaveLength(1);
});

/** Every answer fills the context. */
const full = { include_plan_tool: true, model: "m", model_auto_compact_token_limit: 50 };

/** The root uses 330 tokens, its agent 330, and the agent of that one 110. */
const ofTree = {
  answers: [costs([spawn("one")]), costs(wait), costs(says("Done."))],
  agents: {
    "/root/one": [costs([spawn("deep")]), costs(wait), costs(says("Done."))],
    "*": [costs(says("Done."))],
  },
};

test.each([
  ["is used up by agents of agents", 760, "770 tokens of 760 tokens"],
  ["is left", 780, undefined],
])("a budget of a tree %s, also of a conversation that is resumed", async (_, tokens, why) => {
  const agents = { model: "gpt-6-sol", features: { code_mode: false } };
  await using first = await startTestCodex({ model: ofTree, config: agents });
  const go = { type: "user_input", items: text("go") } as const;
  await first.turn(go);
  await first.shutdown();
  const [path] = first.events.flatMap(({ msg }) =>
    msg.type === "session_configured" ? [msg.rollout_path] : [],
  );
  await using codex = await startTestCodex({
    model: [says("again")],
    config: { ...agents, budget: { tree: { tokens } } },
    sharing: first,
    configure: false,
  });
  codex.submit({ type: "configure_session", ...(path && { resume_path: path }) });
  const errors = of(await codex.turn(go), "error").map(({ message }) => message);

  const message = `The budget \`budget.tree.tokens\` is used up: ${why}. Raise it to continue`;
  expect(errors).toEqual(why === undefined ? [] : [message]);
});

test("an agent counts what its root has used", async () => {
  await using codex = await startTestCodex({
    model: ofTree,
    config: {
      model: "gpt-6-sol",
      features: { code_mode: false },
      budget: { tree: { tokens: 105 } },
    },
  });
  codex.submit({ type: "user_input", items: text("go") });
  await codex.until("task_complete");

  const ofAgent = codex.prompts.filter(({ input }) => JSON.stringify(input).includes("do one"));
  expect(ofAgent.filter(({ input }) => JSON.stringify(input).includes("NEW_TASK"))).toEqual([]);
});

test("a turn whose answer exceeds its budget is complete, and the next one does not start", async () => {
  const config = { budget: { thread: { tokens: 100 }, day: { turns: 2 } } };
  await using codex = await startTestCodex({ model: [costs(says("Done.")), says("?")], config });

  const first = await codex.turn({ type: "user_input", items: text("go") });
  const second = await codex.turn({ type: "user_input", items: text("on") });

  expect(of(first, "error")).toEqual([]);
  expect(of(second, "error")).toMatchObject([{ codex_error_info: "budget_exceeded" }]);
  expect(codex.prompts).toHaveLength(1);
});

test("time ends a turn at once, with the command that it waits for", async () => {
  const config = {
    model: "gpt-5.5",
    features: { unified_exec: true },
    budget: { turn: { seconds: 0.3 } },
  };
  const waits = [calls("exec_command", { cmd: "sleep 60", yield_time_ms: 30_000 }), says("?")];
  await using codex = await startTestCodex({ model: waits, config });

  const events = await codex.turn({ type: "user_input", items: text("go") });

  expect(of(events, "error")).toMatchObject([{ codex_error_info: "budget_exceeded" }]);
  expect(codex.prompts).toHaveLength(1);
});

test("a budget of a day counts what agents use while the turn of their root runs", async () => {
  await using codex = await startTestCodex({
    model: ofTree,
    config: {
      model: "gpt-6-sol",
      features: { code_mode: false },
      budget: { day: { tokens: 500 } },
    },
  });

  const events = await codex.turn({ type: "user_input", items: text("go") });

  expect(of(events, "error")).toMatchObject([{ codex_error_info: "budget_exceeded" }]);
  expect(codex.prompts.length).toBeLessThan(7);
});

test("a budget that is used up refuses a summary, at the wish of the user too", async () => {
  const config = { ...full, budget: { session: { tokens: 100 } } };
  await using codex = await startTestCodex({ model: [plan("c1"), says("?")], config });

  const first = await codex.turn({ type: "user_input", items: text("go") });
  const second = await codex.turn({ type: "compact" });

  const exceeded = [{ codex_error_info: "budget_exceeded" }];
  expect(of(first, "error")).toMatchObject(exceeded);
  expect(of(second, "error")).toMatchObject(exceeded);
  expect(codex.prompts).toHaveLength(1);
});

test("an answer stays complete if its budget does not permit the summary after it", async () => {
  const config = { ...full, budget: { session: { tokens: 100 } } };
  await using codex = await startTestCodex({ model: [costs(says("Done.")), says("?")], config });

  const events = await codex.turn({ type: "user_input", items: text("go") });

  expect(of(events, "error")).toEqual([]);
  expect(events.at(-1)).toMatchObject({ last_agent_message: "Done." });
  expect(codex.prompts).toHaveLength(1);
});

test("a request beside the conversation counts, and is refused without a budget", async () => {
  const model = [costs(says("First.")), costs(says("Beside.")), says("?")];
  const config = { budget: { session: { tokens: 200 } } };
  await using codex = await startTestCodex({ model, config });
  await codex.turn({ type: "user_input", items: text("go") });
  const sample = async () => {
    codex.submit({ type: "sample", prompt: "?" });
    return (await codex.until("sample_response")).msg;
  };

  const answers = [await sample(), await sample()];
  const events = await codex.turn({ type: "user_input", items: text("on") });

  const error = expect.stringContaining("220 tokens of 200 tokens");
  expect(answers).toMatchObject([{ text: "Beside." }, { error }]);
  expect(of(events, "error")).toMatchObject([{ message: error }]);
  expect(codex.prompts).toHaveLength(2);
});

test("a warning comes before the time is over", async () => {
  const config = {
    model: "gpt-5.5",
    features: { unified_exec: true },
    budget: { turn: { seconds: 0.5 } },
  };
  const waits = [calls("exec_command", { cmd: "sleep 60", yield_time_ms: 30_000 }), says("?")];
  await using codex = await startTestCodex({ model: waits, config });

  const events = await codex.turn({ type: "user_input", items: text("go") });

  const told = events.filter(({ type }) => type === "warning" || type === "error");
  expect(told).toMatchObject([
    { message: expect.stringMatching(/^8\d % of the budget `budget.turn.seconds` is used/) },
    { codex_error_info: "budget_exceeded" },
  ]);
});

test("a price that is not known does not count as money", async () => {
  const config = { include_plan_tool: true, model: "mystery", budget: { turn: { money: 0.0001 } } };
  await using codex = await startTestCodex({ model: [plan("c1"), costs(says("Done."))], config });

  const events = await codex.turn({ type: "user_input", items: text("go") });

  expect(of(events, "error")).toEqual([]);
  expect(JSON.stringify(codex.events)).toContain("The price of mystery is not known");
});

function of<Type extends EventMsg["type"]>(
  events: readonly EventMsg[],
  type: Type,
): Extract<EventMsg, { type: Type }>[] {
  return events.filter((msg) => msg.type === type) as Extract<EventMsg, { type: Type }>[];
}
