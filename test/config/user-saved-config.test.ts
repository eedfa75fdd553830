import { expect, test } from "vitest";
import { readUserSavedConfig, saveModel } from "../../src/config/index.js";
import { createTestHome } from "./support/home.js";

const saved = `model = "gpt-5"
approval_policy = "never"
model_reasoning_effort = "high"
profile = "p1"
[sandbox_workspace_write]
writable_roots = ["/opt"]
network_access = true
[tools]
web_search_request = true
[profiles.p1]
model = "o3"
approval_policy = "on-request"
`;

test("without a file nothing is saved", async () => {
  await using machine = await createTestHome();

  expect(await readUserSavedConfig(machine.sources.env)).toEqual({ profiles: {} });
});

test("the saved config has the names of JSON-RPC, and null for omitted keys of a profile", async () => {
  await using machine = await createTestHome({ "home/config.toml": saved });

  expect(await readUserSavedConfig(machine.sources.env)).toEqual({
    approvalPolicy: "never",
    sandboxSettings: {
      writableRoots: ["/opt"],
      networkAccess: true,
      excludeTmpdirEnvVar: false,
      excludeSlashTmp: false,
    },
    model: "gpt-5",
    modelReasoningEffort: "high",
    tools: { webSearch: true },
    profile: "p1",
    profiles: {
      p1: {
        model: "o3",
        modelProvider: null,
        approvalPolicy: "on-request",
        modelReasoningEffort: null,
        modelReasoningSummary: null,
        modelVerbosity: null,
        chatgptBaseUrl: null,
      },
    },
  });
});

test("a chosen model is saved in the profile in use, and taken back from it", async () => {
  await using machine = await createTestHome({ "home/config.toml": saved });
  const target = { home: machine.home };

  await saveModel(target, { model: "m", effort: "low" });
  const chosen = await machine.load();
  await saveModel(target, { model: undefined, effort: undefined });

  expect([chosen.model, chosen.model_reasoning_effort]).toEqual(["m", "low"]);
  expect(await machine.read("home/config.toml")).toBe(saved.replace('model = "o3"\n', ""));
});
