import { describe, expect, test } from "vitest";
import { CodexError } from "../../../src/protocol/error.js";
import { type V1Methods, v1Methods } from "../../../src/protocol/rpc/v1/methods.generated.js";
import { declarations } from "./declarations.js";

const conversationId = "0199a213-81c0-7800-8aa1-bbab2a035a53";
const items = [{ type: "text" as const, text: "hello" }];

/** Params of every method, with the required fields; a method without a sample does not compile. */
const samples: { [Name in keyof V1Methods]: V1Methods[Name]["params"] } = {
  addConversationListener: { conversationId },
  archiveConversation: { conversationId, rolloutPath: "/r.jsonl" },
  cancelLoginChatGpt: { loginId: conversationId },
  execOneOffCommand: { command: ["ls"] },
  getAuthStatus: {},
  getUserAgent: {},
  getUserSavedConfig: {},
  gitDiffToRemote: { cwd: "/project" },
  initialize: { clientInfo: { name: "test", version: "1" } },
  interruptConversation: { conversationId },
  listConversations: {},
  loginApiKey: { apiKey: "sk-1" },
  loginChatGpt: {},
  logoutChatGpt: {},
  newConversation: {},
  removeConversationListener: { subscriptionId: conversationId },
  resumeConversation: { path: "/r.jsonl" },
  sendUserMessage: { conversationId, items },
  sendUserTurn: {
    conversationId,
    items,
    cwd: "/project",
    approvalPolicy: "never",
    sandboxPolicy: { mode: "read-only" },
    model: "gpt-5",
    summary: "auto",
  },
  setDefaultModel: {},
  userInfo: {},
};

const methods = declarations.v1
  .filter(({ kind, params }) => kind === "method" && idOf(params) !== "NoParams")
  .map(({ name, params }) => ({
    name: name as keyof V1Methods,
    required: (params as { required?: string[] }).required ?? [],
  }));

describe.each(methods)("the params of $name", ({ name, required }) => {
  const { check } = v1Methods[name];
  const sample: Record<string, unknown> = { ...samples[name] };

  test("are read as they were sent", () => {
    expect(check(sample)).toEqual(sample);
  });

  test("are read in snake_case too", () => {
    const snake = Object.entries(sample).map(([field, value]) => [toSnake(field), value]);

    expect(check(Object.fromEntries(snake))).toEqual(sample);
  });

  test.each(required)("must have %s", (field) => {
    const { [field]: _, ...rest } = sample;

    expect(problemOf(() => check(rest))).toBe(`params.${field} is missing.`);
  });

  test("must be an object", () => {
    expect(problemOf(() => check("x"))).toBe(`params of ${name} must be an object.`);
  });
});

test.each([
  "getUserAgent",
  "getUserSavedConfig",
  "loginChatGpt",
  "logoutChatGpt",
  "userInfo",
] as const)("%s ignores its params", (name) => {
  expect(v1Methods[name].check([1, { a: 2 }])).toEqual({});
});

test("camelCase wins over snake_case", () => {
  const params = { conversation_id: "not read", conversationId, items };

  expect(v1Methods.sendUserMessage.check(params)).toEqual({ conversationId, items });
});

test("input items may have their fields under `data`", () => {
  const wrapped = [{ type: "localImage", data: { path: "/a.png" } }];

  expect(v1Methods.sendUserMessage.check({ conversationId, items: wrapped })).toEqual({
    conversationId,
    items: [{ type: "local_image", path: "/a.png" }],
  });
});

test.each([
  ["cancelLoginChatGpt", { loginId: "1" }, 'params.loginId must be a UUID, not "1".'],
  [
    "removeConversationListener",
    { subscriptionId: "x" },
    'params.subscriptionId must be a UUID, not "x".',
  ],
  ["loginApiKey", { apiKey: 5 }, "params.apiKey must be a string, not 5."],
  ["listConversations", { pageSize: "9" }, 'params.pageSize must be an integer, not "9".'],
] as const)("%s refuses %j: %s", (name, params, message) => {
  expect(problemOf(() => v1Methods[name].check(params))).toBe(message);
});

function idOf(schema: object): string {
  return String((schema as { $id?: string }).$id);
}

function toSnake(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function problemOf(action: () => unknown): string | undefined {
  try {
    action();
  } catch (error) {
    if (error instanceof CodexError && error.code === "invalid_request") return error.message;
    throw error;
  }
  return undefined;
}
