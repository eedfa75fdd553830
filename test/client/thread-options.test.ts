import { expect, test } from "vitest";
import {
  type ThreadOptions,
  toSettings,
  toStartParams,
  toUserInput,
} from "../../src/client/thread-options.js";

test.each<[ThreadOptions, object]>([
  [{}, { approvalPolicy: "never" }],
  [{ onApproval: () => "deny" }, { approvalPolicy: "on-request" }],
  [{ onApproval: () => "deny", approvalPolicy: "untrusted" }, { approvalPolicy: "untrusted" }],
  [
    { model: "gpt-5", workingDirectory: "/work", sandboxMode: "read-only" },
    { approvalPolicy: "never", model: "gpt-5", cwd: "/work", sandbox: "read-only" },
  ],
  [
    { baseInstructions: "base", developerInstructions: "more" },
    { approvalPolicy: "never", baseInstructions: "base", developerInstructions: "more" },
  ],
  [
    {
      modelReasoningEffort: "high",
      networkAccessEnabled: false,
      additionalDirectories: ["/data"],
    },
    {
      approvalPolicy: "never",
      config: {
        model_reasoning_effort: "high",
        "sandbox_workspace_write.network_access": false,
        "sandbox_workspace_write.writable_roots": ["/data"],
      },
    },
  ],
])("the options %j are the settings %j", (options, settings) => {
  expect(toSettings(options)).toEqual(settings);
});

test.each<[ThreadOptions, string | undefined]>([
  [{}, undefined],
  [{ webSearchEnabled: true }, "live"],
  [{ webSearchEnabled: false }, "disabled"],
  [{ webSearchMode: "cached", webSearchEnabled: true }, "cached"],
])("the options %j set web_search to %j", (options, search) => {
  const { config } = toSettings(options) as { config?: Record<string, unknown> };

  expect(config?.web_search).toBe(search);
});

test("nested settings are flattened, and options take precedence", () => {
  const { config } = toSettings({
    modelReasoningEffort: "low",
    config: { tools: { view_image: true, list: [1] }, model_reasoning_effort: "high", "a.b": 1 },
  }) as { config?: Record<string, unknown> };

  expect(config).toEqual({
    "tools.view_image": true,
    "tools.list": [1],
    "a.b": 1,
    model_reasoning_effort: "low",
  });
});

test("only `thread/start` has tools and `ephemeral`", () => {
  const run = async () => ({ text: "", success: true });
  const options: ThreadOptions = {
    ephemeral: true,
    tools: [{ spec: { type: "function", name: "add" }, run }],
  };

  expect(toStartParams(options)).toEqual({
    approvalPolicy: "never",
    ephemeral: true,
    dynamicTools: [
      {
        type: "function",
        name: "add",
        description: "",
        inputSchema: { type: "object", properties: {} },
      },
    ],
  });
  expect(toSettings(options)).toEqual({ approvalPolicy: "never" });
});

test("input is a text or a list of parts", () => {
  expect(toUserInput("hi")).toEqual([{ type: "text", text: "hi", text_elements: [] }]);
  expect(
    toUserInput([
      { type: "local_image", path: "/a.png" },
      { type: "image", url: "data:," },
    ]),
  ).toEqual([
    { type: "localImage", path: "/a.png" },
    { type: "image", url: "data:," },
  ]);
});
