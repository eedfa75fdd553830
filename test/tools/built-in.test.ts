import { expect, test } from "vitest";
import type { EraName } from "../../src/compat/index.js";
import { startTestCodex, type TestCodexOptions, text } from "../support/codex.js";
import { calls, says } from "../support/model.js";

/** The offered search, if any. */
async function searchIn(options: TestCodexOptions): Promise<unknown> {
  await using codex = await startTestCodex({ ...options, model: [says("Hello.")] });
  await codex.turn({ type: "user_input", items: text("hi") });
  return codex.prompts[0]?.tools.find(({ type }) => type === "web_search");
}

async function namesIn(options: TestCodexOptions): Promise<string[]> {
  await using codex = await startTestCodex({ ...options, model: [says("Hello.")] });
  await codex.turn({ type: "user_input", items: text("hi") });
  return (codex.prompts[0]?.tools ?? []).map((tool) => ("name" in tool ? tool.name : tool.type));
}

const readOnly = { sandbox_mode: "read-only" };
const cached = { type: "web_search", external_web_access: false };
const live = { type: "web_search", external_web_access: true };

test("[documents D6] by default the model is offered the plan, questions and the web", async () => {
  const names = await namesIn({});

  expect(names).toEqual(
    expect.arrayContaining(["update_plan", "request_user_input", "web_search"]),
  );
});

test("[documents D6] the plan and the questions can be refused", async () => {
  const config = { tools: { update_plan: { enabled: false } } };
  await using codex = await startTestCodex({ configure: false, config, model: [says("Hello.")] });
  codex.submit({ type: "configure_session", can_answer_questions: false });
  await codex.turn({ type: "user_input", items: text("hi") });

  const names = codex.prompts[0]?.tools.map((tool) => ("name" in tool ? tool.name : tool.type));
  expect(names).not.toContain("update_plan");
  expect(names).not.toContain("request_user_input");
});

test("[documents D6] a search is live with full access and on stored pages in a sandbox", async () => {
  expect(await searchIn({ config: readOnly })).toEqual(cached);
  expect(await searchIn({})).toEqual(live);
});

test.each([
  ["azure", { name: "Azure", base_url: "http://127.0.0.1:1/openai" }],
  ["ollama", { name: "Ollama", base_url: "http://127.0.0.1:1/v1" }],
])("[documents D6] a provider without a search is not sent one: %s", async (id, provider) => {
  const config = { model_provider: id, model_providers: { [id]: provider } };

  expect(await searchIn({ config })).toBeUndefined();
});

const switches: [string, Record<string, unknown>, unknown][] = [
  ['web_search = "live"', { web_search: "live" }, true],
  ['web_search = "cached"', { web_search: "cached" }, false],
  ['web_search = "disabled"', { web_search: "disabled" }, undefined],
  ["tools.web_search = true", { tools: { web_search: true } }, true],
  ["tools.web_search = false", { tools: { web_search: false } }, undefined],
  ["features.web_search_request = true", { features: { web_search_request: true } }, true],
  ["features.web_search = true", { features: { web_search: true } }, true],
  ["features.web_search_cached = true", { features: { web_search_cached: true } }, false],
];

test.each(switches)("[embedding B4] %s works in every era", async (_, config, isLive) => {
  for (const era of ["0.39", "0.45", "0.104", "0.166", "current"] as const) {
    const spec = await searchIn({ era, config: { ...readOnly, ...config } });

    if (isLive === undefined) expect([era, spec]).toEqual([era, undefined]);
    else expect([era, isLiveIn(era, spec)]).toEqual([era, isLive]);
  }
});

/** Eras of 2025 have no field for a live search. */
function isLiveIn(era: EraName, spec: unknown): unknown {
  const { external_web_access } = spec as { external_web_access?: boolean };
  return external_web_access ?? ["0.39", "0.45"].includes(era);
}

test("[documents D6] in the default mode a question is asked in every mode", async () => {
  const option = { label: "Yes", description: "Do it." };
  const question = { id: "q", header: "Go", question: "Go on?", options: [option] };
  await using codex = await startTestCodex({
    model: [calls("request_user_input", { questions: [question] }), says("Done.")],
  });

  codex.submit({ type: "user_input", items: text("hi") });
  const { msg } = await codex.until("request_user_input");
  const response = { answers: { q: { answers: ["Yes"] } } };
  codex.submit({ type: "user_input_answer", id: msg.call_id, response });
  await codex.until("task_complete");

  expect(JSON.stringify(codex.prompts[1]?.input.at(-1))).toContain("Yes");
});

test.each(["0.104", "0.166"] as const)(
  "[documents D6] era %s answers that questions are unavailable outside of plan mode",
  async (era) => {
    await using codex = await startTestCodex({
      era,
      model: [calls("request_user_input", { questions: [] }), says("Done.")],
    });

    await codex.turn({ type: "user_input", items: text("hi") });

    const last = JSON.stringify(codex.prompts[1]?.input.at(-1));
    expect(last).toContain("unavailable in Default mode");
  },
);
