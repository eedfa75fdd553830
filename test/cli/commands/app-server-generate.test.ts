import { execFileSync, spawnSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { Ajv } from "ajv";
import { describe, expect, test } from "vitest";
import { createUser } from "../support/run-quire.js";

const tsc = resolve(import.meta.dirname, "../../../node_modules/typescript/bin/tsc");

describe("quire app-server", () => {
  test("generate-ts writes types that a strict compiler takes, and that fit", async () => {
    using user = createUser();

    const ran = await user.run(["app-server", "generate-ts", "--out", "types"]);
    writeFileSync(
      join(user.project, "client.ts"),
      `import type { ClientRequest, ServerNotification, v2 } from "./types";
export const ask: ClientRequest = { id: 1, method: "thread/start", params: { cwd: "/w" } };
// @ts-expect-error There is no such method.
export const wrong: ClientRequest = { id: 1, method: "thread/stop", params: {} };
export function hear(message: ServerNotification): v2.Turn | undefined {
  return message.method === "turn/completed" ? message.params.turn : undefined;
}
`,
    );
    const flags = ["--strict", "--noEmit", "--module", "esnext", "--moduleResolution", "bundler"];
    const typeErrors = () =>
      execFileSync(process.execPath, [tsc, ...flags, "--types", "", "client.ts"], {
        cwd: user.project,
        encoding: "utf8",
      });

    expect(ran.code).toBe(0);
    expect(typeErrors()).toBe("");
  });

  test("[documents D13] generate-ts writes v1 and the queues too, for any module resolution", async () => {
    using user = createUser();

    await user.run(["app-server", "generate-ts", "--out", "types"]);
    writeFileSync(
      join(user.project, "client.ts"),
      `import type {
  ClientRequest, ClientRequestResults, Event, EventMsg, ExecCommandApprovalParams, InputItem,
  NewConversationParams, ServerNotification, ServerRequest, Submission, UserSavedConfig,
} from "./types/index.js";
const params: NewConversationParams = { model: "m", approvalPolicy: "never" };
const item: InputItem = { type: "text", text: "hi" };
export const asked: ClientRequest[] = [
  { id: 1, method: "newConversation", params },
  { id: 2, method: "sendUserMessage", params: { conversationId: "c", items: [item] } },
  { id: 3, method: "getAuthStatus", params: {} },
  { id: 4, method: "gitDiffToRemote", params: { cwd: "/w" } },
  { id: 5, method: "getUserSavedConfig" },
];
export const submission: Submission = { id: "1", op: { type: "user_input", items: [item] } };
export function answer(request: ServerRequest): ExecCommandApprovalParams | undefined {
  return request.method === "execCommandApproval" ? request.params : undefined;
}
export function hear({ msg }: Event): string | undefined {
  return msg.type === "agent_message" ? msg.message : undefined;
}
export function told(message: ServerNotification): EventMsg | boolean | undefined {
  if (message.method === "loginChatGptComplete") return message.params.success;
  return message.method === "codex/event" ? message.params.msg : undefined;
}
export const saved: ClientRequestResults["getUserSavedConfig"]["config"] = {} as UserSavedConfig;
`,
    );
    writeFileSync(join(user.project, "package.json"), '{"type":"module"}');
    const flags = ["--strict", "--noEmit", "--module", "nodenext", "--types", "", "client.ts"];
    const said = spawnSync(process.execPath, [tsc, ...flags], {
      cwd: user.project,
      encoding: "utf8",
    });

    expect(said.stdout).toBe("");
  });

  test("[embedding R10] generate-ts obeys --experimental and the era", async () => {
    using user = createUser();
    const types = async (name: string, args: string[], env: Record<string, string> = {}) => {
      await user.run(["app-server", "generate-ts", "--out", name, ...args], { env });
      return (file: string) => readFileSync(join(user.project, name, file), "utf8");
    };

    const stable = await types("stable", []);
    const all = await types("all", ["--experimental"]);
    const old = await types("old", ["--era", "0.42"]);
    const middle = await types("middle", ["--experimental"], { QUIRE_ERA: "0.104" });

    expect(stable("ClientRequest.ts")).not.toContain("thread/settings/update");
    expect(all("ClientRequest.ts")).toContain("thread/settings/update");
    expect(stable("v2/ThreadStartParams.ts")).not.toContain("dynamicTools");
    expect(all("v2/ThreadStartParams.ts")).toContain("dynamicTools");
    expect(old("FileChange.ts")).toContain("add: {");
    expect(old("ExecCommandApprovalParams.ts")).toContain("call_id: string");
    expect(middle("v2/Thread.ts")).not.toContain("sessionId");
    expect(middle("SandboxPolicy.ts") + middle("ReadOnlyPolicy.ts")).toContain('type: "read-only"');
    expect(all("v2/Thread.ts")).toContain("sessionId");
  });

  test("generate-json-schema writes shapes that stand alone", async () => {
    using user = createUser();

    const ran = await user.run(["app-server", "generate-json-schema", "--out", "deep/schemas"]);
    const folder = join(user.project, "deep/schemas");
    const read = (path: string) => JSON.parse(readFileSync(join(folder, path), "utf8"));
    const isValid = (path: string, value: unknown) =>
      new Ajv({ strict: false }).compile(read(path))(value);

    expect(ran.code).toBe(0);
    expect(readdirSync(join(folder, "v2")).length).toBeGreaterThan(100);
    expect(isValid("v2/ThreadStartParams.json", { cwd: "/w", sandbox: "read-only" })).toBe(true);
    expect(isValid("v2/ThreadStartParams.json", { sandbox: "everything" })).toBe(false);
    expect(isValid("ClientRequest.json", { id: 1, method: "thread/start", params: {} })).toBe(true);
    expect(isValid("ClientRequest.json", { id: 1, method: "thread/stop", params: {} })).toBe(false);
    expect(isValid("ClientNotification.json", { method: "initialized" })).toBe(true);
    const approval = { conversationId: "c", callId: "x", command: ["ls"], cwd: "/w" };
    const asked = { id: 1, method: "execCommandApproval", params: approval };
    expect(isValid("ServerRequest.json", asked)).toBe(true);
    expect(isValid("ServerRequest.json", { ...asked, params: {} })).toBe(false);
    expect(isValid("v1/NewConversationParams.json", { approvalPolicy: "never" })).toBe(true);
    expect(isValid("EventMsg.json", { type: "agent_message", message: "hi" })).toBe(true);
    expect(isValid("Submission.json", { id: "1", op: { type: "interrupt" } })).toBe(true);
    const all = read("codex_app_server_protocol.v2.schemas.json");
    expect(Object.keys(all.definitions)).toContain("ThreadStartParams");
  });

  test("generating requires --out", async () => {
    using user = createUser();

    expect(await user.run(["app-server", "generate-ts"])).toEqual({
      code: 2,
      stdout: "",
      stderr: "quire: Missing --out DIR\n",
    });
  });
});
