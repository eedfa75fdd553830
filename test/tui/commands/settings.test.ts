import { expect, test } from "vitest";
import { readyApp, type TestAppOptions } from "../test-app.js";

async function run(line: string, options: TestAppOptions = {}) {
  const app = await readyApp(options);
  app.type(line.includes(" ") ? line : `${line} `);
  app.keys("enter");
  return app;
}

const efforts = ["low", "medium", "high"].map((reasoningEffort) => ({
  reasoningEffort,
  description: `${reasoningEffort} effort`,
}));
const models = {
  data: [
    {
      model: "gpt-5",
      displayName: "GPT-5",
      description: "Strong",
      supportedReasoningEfforts: efforts,
      defaultReasoningEffort: "medium",
    },
    {
      model: "gpt-5-mini",
      displayName: "GPT-5 mini",
      description: "Fast",
      supportedReasoningEfforts: [efforts[1]],
      defaultReasoningEffort: "medium",
    },
    { model: "old", displayName: "Old", description: "Old", hidden: true },
  ],
};

/** The params of `config/batchWrite` for some settings. */
function saved(settings: Record<string, unknown>) {
  const edits = Object.entries(settings).map(([keyPath, value]) => ({
    keyPath,
    value,
    mergeStrategy: "replace",
  }));
  return [{ edits }];
}

test("/model lists the models, then the efforts, from the current ones on", async () => {
  await using app = await run("/model", { answers: { "model/list": models } });
  const list = await app.until("Select a model");
  expect(list).toMatch(/› 1\. GPT-5 {7}Strong \(current\)\n {2}2\. GPT-5 mini {2}Fast/);
  expect(list).not.toContain("Old");
  app.keys("enter");
  expect(await app.until("Select the reasoning effort for GPT-5")).toContain("› 2. medium");
  app.keys("3");
  await app.until("• Model: gpt-5 high");
  expect(app.screen().at(-1)).toContain("gpt-5 high");
  expect(app.server.sent("config/batchWrite")).toEqual(
    saved({ model: "gpt-5", model_reasoning_effort: "high" }),
  );

  app.type("go");
  app.keys("enter");
  await app.until("esc to interrupt");
  expect(app.server.sent("turn/start")).toMatchObject([{ model: "gpt-5", effort: "high" }]);
});

test("a model with one effort does not ask for it", async () => {
  await using app = await run("/model", { answers: { "model/list": models } });
  await app.until("Select a model");
  app.keys("2");
  await app.until("• Model: gpt-5-mini medium");
});

test("/model NAME uses a model that is not listed", async () => {
  await using app = await run("/model my-model");
  await app.until("• Model: my-model");
});

test("a model that cannot be saved is used in this session", async () => {
  await using app = await run("/model my-model", {
    answers: { "config/batchWrite": new Error("locked") },
  });
  await app.until(
    "■ The model is used in this session, but could not be saved to config.toml: locked",
  );
});

test("/model lists the models of a local provider and saves the provider too", async () => {
  await using app = await run("/model", {
    host: {
      localModels: async () => ({
        list: async () => ["qwen3:8b", "gpt-5"],
        settings: { model_provider: "ollama" },
      }),
    },
  });
  expect(await app.until("Select a model from openai")).toMatch(/› 2\. gpt-5 {5}\(current\)/);
  app.keys("1");
  await app.until("• Model: qwen3:8b");
  expect(app.server.sent("config/batchWrite")).toEqual(
    saved({ model: "qwen3:8b", model_provider: "ollama" }),
  );
});

test("a local provider that does not respond: the name is typed, and not saved if it cannot be", async () => {
  await using app = await run("/model", {
    host: { localModels: async () => ({ list: async () => [], settings: undefined }) },
  });
  await app.until("openai does not list its models. Is it running?");
  app.type("phi");
  app.keys("enter");
  await app.until("• Model: phi");
  expect(app.server.sent("config/batchWrite")).toEqual([]);
});

test.each([
  ["1", "read-only, on-request", { type: "readOnly", networkAccess: false }],
  ["2", "workspace-write, on-request", { type: "workspaceWrite" }],
])("/permissions %s: %s from the next turn on", async (key, text, sandboxPolicy) => {
  await using app = await run("/permissions");
  const dialog = await app.until("What is allowed without approval?");
  expect(dialog).toContain("Current: workspace-write, on-request");
  expect(dialog).toContain("› 2. Auto");
  app.keys(key);
  await app.until(`• Permissions from the next turn on: ${text}`);
  app.type("go");
  app.keys("enter");
  await app.until("esc to interrupt");
  expect(app.server.sent("turn/start")).toMatchObject([
    { approvalPolicy: "on-request", sandboxPolicy },
  ]);
});

test.each([
  ["enter", false],
  ["escape", false],
  ["2", true],
])("full access is confirmed: %s switches it on: %j", async (key, isOn) => {
  await using app = await run("/approvals");
  await app.until("What is allowed without approval?");
  app.keys("3");
  await app.until("Enable full access?");
  app.keys(key);
  await app.untilGone("Enable full access?");
  await app.until("Describe a task");
  expect(app.screen().at(-1)?.includes("full access")).toBe(isOn);
});
