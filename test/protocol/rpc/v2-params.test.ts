import { describe, expect, test } from "vitest";
import { CodexError } from "../../../src/protocol/error.js";
import { type V2Methods, v2Methods } from "../../../src/protocol/rpc/v2/methods.generated.js";
import { declarations } from "./declarations.js";

const threadId = "0199a213-81c0-7800-8aa1-bbab2a035a53";
const input = [{ type: "text" as const, text: "hello", text_elements: [] }];
const path = "/project/a.txt";

/** Params of every method, with the required fields; a method without a sample does not compile. */
const samples: { [Name in keyof V2Methods]: V2Methods[Name]["params"] } = {
  "account/bedrock/checkGovCloudRequirements": {},
  "account/gatewayOAuth/read": {},
  "account/login/cancel": { loginId: "login-1" },
  "account/login/start": { type: "apiKey", apiKey: "sk-1" },
  "account/logout": {},
  "account/rateLimits/read": {},
  "account/read": {},
  "account/workspaceMessages/read": {},
  "app/installed": {},
  "accountSession/list": {},
  "app/list": {},
  "collaborationMode/list": {},
  "command/exec": { command: ["ls"] },
  "command/exec/resize": { processId: "p", size: { rows: 24, cols: 80 } },
  "command/exec/terminate": { processId: "p" },
  "command/exec/write": { processId: "p" },
  "config/batchWrite": { edits: [{ keyPath: "model", value: "gpt-5", mergeStrategy: "replace" }] },
  "config/mcpServer/reload": {},
  "config/read": {},
  "config/value/write": { keyPath: "model", value: null, mergeStrategy: "replace" },
  "configRequirements/read": {},
  "experimentalFeature/enablement/set": { enablement: { goals: false } },
  "experimentalFeature/list": {},
  "externalAgentConfig/detect": { includeHome: true, cwds: ["/project"] },
  "externalAgentConfig/import": { migrationItems: [] },
  "externalAgentConfig/import/readHistories": {},
  "externalAgentConfig/import/recordHistory": { providerId: "p", itemTypeResults: [] },
  "fs/copy": { sourcePath: path, destinationPath: "/project/b.txt" },
  "fs/createDirectory": { path },
  "fs/getMetadata": { path },
  "fs/readDirectory": { path },
  "fs/readFile": { path },
  "fs/remove": { path },
  "fs/unwatch": { watchId: "w" },
  "fs/watch": { watchId: "w", path },
  "fs/writeFile": { path, dataBase64: "YQ==" },
  fuzzyFileSearch: { query: "a", roots: ["/project"] },
  "fuzzyFileSearch/sessionStart": { sessionId: "s", roots: ["/project"] },
  "fuzzyFileSearch/sessionStop": { sessionId: "s" },
  "fuzzyFileSearch/sessionUpdate": { sessionId: "s", query: "a" },
  getConversationSummary: {},
  "hooks/list": {},
  initialize: { clientInfo: { name: "test", title: "Test", version: "1" } },
  "mcpServer/oauth/login": { name: "files" },
  "mcpServer/resource/read": { server: "files", uri: "memo:one" },
  "mcpServer/tool/call": { threadId, server: "files", tool: "read" },
  "mcpServerStatus/list": {},
  "memory/reset": {},
  "memory/status": {},
  "mock/experimentalMethod": { value: "x" },
  "model/list": {},
  "modelProvider/capabilities/read": {},
  "permissionProfile/list": {},
  "plugin/installed": {},
  "plugin/list": {},
  "plugin/share/list": {},
  "project/create": { idempotencyKey: "k", name: "Alpha", roots: [{ path: "/work" }] },
  "project/delete": { projectId: "p1" },
  "project/import": { idempotencyKey: "k", name: "Alpha", roots: [], threads: [threadId] },
  "project/list": {},
  "project/move": { projectId: "p1", beforeProjectId: null },
  "project/read": { projectId: "p1" },
  "project/update": { projectId: "p1", metadata: { a: "b" } },
  "review/start": { threadId, target: { type: "uncommittedChanges" } },
  "skills/config/write": { enabled: true },
  "skills/extraRoots/set": { extraRoots: ["/skills"] },
  "skills/list": {},
  "process/kill": { processHandle: "p1" },
  "process/resizePty": { processHandle: "p1", size: { rows: 24, cols: 80 } },
  "process/spawn": { command: ["cat"], processHandle: "p1", cwd: "/work", timeoutMs: null },
  "process/writeStdin": { processHandle: "p1", closeStdin: true },
  "thread/archive": { threadId },
  "thread/attachment/add": { threadId, attachmentType: "a", identityKey: "k", payload: null },
  "thread/attachment/list": { threadId },
  "thread/attachment/remove": { threadId, attachmentType: "a", identityKey: "k" },
  "thread/attachmentOwner/list": { attachmentType: "a", identityKey: "k" },
  "thread/backgroundTerminals/clean": { threadId },
  "thread/backgroundTerminals/list": { threadId, limit: 5 },
  "thread/backgroundTerminals/terminate": { threadId, processId: "1000" },
  "thread/compact/start": { threadId },
  "thread/decrement_elicitation": { threadId },
  "thread/delete": { threadId },
  "thread/approveGuardianDeniedAction": { threadId, event: { id: "r-1", status: "denied" } },
  "thread/fork": { threadId },
  "usage/read": {},
  "thread/queue/add": { threadId, input: [], clientUserMessageId: "m-1" },
  "thread/queue/delete": { threadId, queuedSubmissionId: "q-1" },
  "thread/queue/list": { threadId },
  "thread/queue/reorder": { threadId, queuedSubmissionIds: [] },
  "thread/queue/start": { threadId },
  "thread/queue/update": { threadId, queuedSubmissionId: "q-1", input: [] },
  "thread/goal/clear": { threadId },
  "thread/goal/get": { threadId },
  "thread/goal/set": { threadId },
  "thread/increment_elicitation": { threadId },
  "thread/inject_items": { threadId, items: [] },
  "thread/items/list": { threadId },
  "thread/list": {},
  "thread/loaded/list": {},
  "thread/name/set": { threadId, name: "Parser" },
  "thread/read": { threadId },
  "thread/readState/update": { threadId, operation: { type: "read" }, expectedRevision: "1" },
  "thread/resume": { threadId },
  "thread/revert": { threadId, beforeTurnId: "turn-2" },
  "thread/rewind": { threadId, turnId: "turn", what: "both", dryRun: true, skipConflicts: true },
  "thread/rewind/undo": { threadId },
  "thread/tree": { threadId },
  "thread/tree/switch": { threadId, turnId: "turn", what: "files" },
  "thread/rollback": { threadId, numTurns: 1 },
  "thread/settings/update": { threadId },
  "thread/shellCommand": { threadId, command: "ls" },
  "thread/start": {},
  "thread/turns/list": { threadId },
  "thread/unarchive": { threadId },
  "thread/unsubscribe": { threadId },
  "environment/info": { environmentId: "local" },
  "environment/status": { environmentId: "local" },
  "remoteControl/status/read": {},
  "server/diagnostics": {},
  "thread/sample": { threadId, expectedTurnId: "t1", prompt: "give it a title" },
  "thread/sample/cancel": { requestId: 5 },
  "turn/settings/update": { threadId, turnId: "t1", effort: "high" },
  "thread/items/read": { threadId, turnId: "t1", itemIds: ["c1"] },
  "thread/search": { searchTerm: "elephant", sortKey: "recency_at" },
  "thread/searchOccurrences": { threadId, searchTerm: "elephant" },
  "thread/timeline/list": { threadId, limit: 5 },
  "thread/memory/read": { threadId },
  "thread/memoryMode/set": { threadId, mode: "disabled" },
  "thread/metadata/update": { threadId, gitInfo: { branch: null } },
  "thread/section/move": { threadId, sectionId: null },
  "threadSection/create": { name: "Work", appearance: { icon: "star" } },
  "threadSection/delete": { sectionId: "s1" },
  "threadSection/list": {},
  "threadSection/update": { sectionId: "s1", name: "Play", appearance: null },
  "turn/interrupt": { threadId, turnId: "turn-1" },
  "turn/start": { threadId, input },
  "turn/steer": { threadId, input, expectedTurnId: "turn-1" },
  "userVerification/status": {},
  "windowsSandbox/readiness": {},
};

const methods = declarations.v2
  .filter(({ kind }) => kind === "method")
  .map(({ name, params }) => ({ name: name as keyof V2Methods, schema: params as ObjectSchema }));

describe.each(methods)("the params of $name", ({ name, schema }) => {
  const { check } = v2Methods[name];
  const sample: Record<string, unknown> = { ...samples[name] };
  const typed = (schema.required ?? []).filter((field) => !isAny(schema.properties?.[field]));

  test("are read as they were sent, with fields that are not known", () => {
    const sent = { ...sample, ofTheFuture: [1] };

    expect(check(sent)).toEqual(sent);
  });

  test.each(typed)("must have %s", (field) => {
    const { [field]: _, ...rest } = sample;

    expect(problemOf(() => check(rest))).toBe(`params.${field} is missing.`);
  });

  test.each(typed)("must have a %s of the right type", (field) => {
    const wrong = schema.properties?.[field]?.type === "boolean" ? "true" : true;

    const problem = problemOf(() => check({ ...sample, [field]: wrong }));

    expect(problem).toMatch(new RegExp(`^params\\.${field}\\b.* must be `));
  });

  test.each(optionalFields(schema))("may have a null %s", (field) => {
    expect(() => check({ ...sample, [field]: null })).not.toThrow();
  });

  test("must be an object", () => {
    expect(problemOf(() => check([1]))).toBe(`params of ${name} must be an object.`);
  });
});

test("null means absent, except in fields where it is a value", () => {
  expect(
    v2Methods["thread/goal/set"].check({ threadId, objective: null, tokenBudget: null }),
  ).toEqual({ threadId, tokenBudget: null });
  expect(v2Methods["thread/start"].check({ model: null, cwd: "/project" })).toEqual({
    cwd: "/project",
  });
});

test("a field named __proto__ is dropped", () => {
  const params = v2Methods["thread/start"].check(JSON.parse('{"__proto__": {"model": "x"}}'));

  expect(Object.getPrototypeOf(params)).toBe(Object.prototype);
  expect(params).toEqual({});
});

test.each([
  ["turn/start", { threadId, input: [{ type: "texts" }] }, "unknown variant `texts`"],
  ["turn/start", { threadId, input: [{}] }, "missing field `type`"],
  ["turn/start", { input }, "missing field `threadId`"],
  ["turn/start", { threadId: 5, input }, "invalid type: integer `5`, expected a string"],
  ["thread/rollback", { threadId, numTurns: "2" }, 'invalid type: string "2", expected an integer'],
  ["thread/list", { limit: true }, "invalid type: boolean `true`, expected an integer"],
  ["thread/start", { sandbox: "ro" }, "unknown variant `ro`, expected one of `read-only`"],
] as const)("%s with %j has the reason of the reference: %s", (name, params, reason) => {
  try {
    v2Methods[name].check(params);
    expect.unreachable();
  } catch (error) {
    expect(error).toBeInstanceOf(CodexError);
    expect(String((error as CodexError).cause)).toContain(reason);
  }
});

interface ObjectSchema {
  properties?: Record<string, Record<string, unknown>>;
  required?: string[];
}

function optionalFields({ properties = {}, required = [] }: ObjectSchema): string[] {
  return Object.keys(properties).filter((field) => !required.includes(field));
}

function isAny(schema: Record<string, unknown> | undefined): boolean {
  return Object.keys(schema ?? {}).every((keyword) => keyword === "description");
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
