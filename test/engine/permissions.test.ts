import { existsSync, readFileSync, symlinkSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { EraName } from "../../src/compat/index.js";
import type { PermissionProfile, RequestPermissionsResponse } from "../../src/protocol/types.js";
import { startTestCodex, type TestCodex, text } from "../support/codex.js";
import { calls, callsCustom, says } from "../support/model.js";

const go = { type: "user_input", items: text("go") } as const;
const features = { request_permissions_tool: true };
const config = { approval_policy: "on-request", sandbox_mode: "read-only", features };

function asksFor(permissions: unknown, reason = "To build it") {
  return calls("request_permissions", { permissions, reason }, "p1");
}

function touches(path: string, callId = "t1") {
  return calls("shell", { command: ["touch", path] }, callId);
}

function addsFile(path: string) {
  const patch = `*** Begin Patch\n*** Add File: ${path}\n+new\n*** End Patch`;
  return callsCustom("apply_patch", patch, "a1");
}

/** The folder beside the workspace, as the engine names it. */
async function makeFolder({ workspace }: TestCodex, name = "out"): Promise<string> {
  const folder = join(workspace, "..", name);
  await mkdir(folder);
  return folder;
}

/** Answers the question for permissions. */
async function answer(codex: TestCodex, response: RequestPermissionsResponse) {
  const { msg } = await codex.until("request_permissions");
  codex.submit({ type: "request_permissions_response", id: msg.call_id, response });
  return msg;
}

/** Output of a call for the model. */
function outputOf({ prompts }: TestCodex, callId = "p1"): unknown {
  const items = prompts.flatMap(({ input }) => input);
  const item = items.find((one) => "output" in one && one.call_id === callId);
  const output = item !== undefined && "output" in item ? item.output : undefined;
  return typeof output === "string" && output.startsWith("{") ? JSON.parse(output) : output;
}

function asked({ events }: TestCodex): string[] {
  const types = events.map(({ msg }) => msg.type as string);
  return types.filter((type) => /request/.test(type));
}

const none = { permissions: { network: null, file_system: null }, scope: "turn" };

test("a grant for a turn applies to its commands and patches, but not to the next turn", async () => {
  await using codex = await startTestCodex({
    model: [
      asksFor({ file_system: { write: ["../out"] } }),
      touches("../out/command"),
      addsFile("../out/patch"),
      says("Done."),
      touches("../out/later", "t2"),
      says("Done."),
    ],
    config,
  });
  const folder = await makeFolder(codex);

  codex.submit(go);
  const msg = await answer(codex, {
    permissions: { file_system: { write: [folder] } },
    scope: "turn",
  });
  await codex.until("task_complete");
  await codex.turn(go);

  expect(msg).toEqual({
    type: "request_permissions",
    call_id: "p1",
    turn_id: expect.any(String),
    environmentId: "local",
    started_at_ms: expect.any(Number),
    reason: "To build it",
    permissions: { file_system: { write: [folder] } },
    cwd: codex.workspace,
  });
  expect(outputOf(codex)).toEqual({
    permissions: { network: null, file_system: { write: [folder] } },
    scope: "turn",
  });
  expect(existsSync(join(folder, "command"))).toBe(true);
  expect(readFileSync(join(folder, "patch"), "utf8")).toBe("new\n");
  expect(existsSync(join(folder, "later"))).toBe(false);
  expect(existsSync(join(codex.workspace, "command"))).toBe(false);
  expect(asked(codex)).toEqual(["request_permissions"]);
});

test("a grant for the session applies to later turns", async () => {
  await using codex = await startTestCodex({
    model: [
      asksFor({ file_system: { write: ["../out"] }, network: { enabled: true } }),
      says("Done."),
      [
        ...touches("../out/later"),
        ...calls("shell", { command: ["sh", "-c", "echo [$CODEX_SANDBOX_NETWORK_DISABLED]"] }, "n"),
      ],
      says("Done."),
    ],
    config,
  });
  const folder = await makeFolder(codex);
  const permissions = { network: { enabled: true }, file_system: { write: [folder] } };

  codex.submit(go);
  await answer(codex, { permissions, scope: "session" });
  await codex.until("task_complete");
  await codex.turn(go);

  expect(outputOf(codex)).toEqual({ permissions, scope: "session" });
  expect(existsSync(join(folder, "later"))).toBe(true);
  expect(JSON.stringify(outputOf(codex, "n"))).toContain("[]");
});

const sessionReviews = { strict_auto_review: true, scope: "session" } as const;

test.each<[string, PermissionProfile, Partial<RequestPermissionsResponse>]>([
  ["a no", {}, {}],
  ["more than was asked for", { file_system: { write: ["/"] }, network: { enabled: true } }, {}],
  ["a way out of what was asked for", { file_system: { write: ["OUT/.."] } }, {}],
  ["a link out of what was asked for", { file_system: { write: ["OUT/link"] } }, {}],
  ["a yes for the session if each command is reviewed", askedAll(), sessionReviews],
])("%s grants nothing", async (_, permissions, more) => {
  await using codex = await startTestCodex({
    model: [
      asksFor({ file_system: { write: ["../out"] } }),
      [...touches("../out/made", "t1"), ...touches("made", "t2")],
      says("Done."),
    ],
    config,
  });
  const folder = await makeFolder(codex);
  symlinkSync(codex.workspace, join(folder, "link"));

  codex.submit(go);
  await answer(codex, {
    permissions: JSON.parse(JSON.stringify(permissions).replaceAll("OUT", folder)),
    ...more,
  });
  await codex.until("task_complete");

  expect(outputOf(codex)).toEqual(none);
  expect(existsSync(join(folder, "made"))).toBe(false);
  expect(existsSync(join(codex.workspace, "made"))).toBe(false);
});

function askedAll(): PermissionProfile {
  return { file_system: { write: ["OUT"] } };
}

test("the user is asked about the place behind a link, and no other is granted for it", async () => {
  await using codex = await startTestCodex({
    model: [
      asksFor({ file_system: { write: ["link/../../workspace/link"] } }),
      addsFile("link/made"),
      says("Done."),
    ],
    config,
  });
  const folder = await makeFolder(codex);
  const other = await makeFolder(codex, "other");
  symlinkSync(folder, join(codex.workspace, "link"));

  codex.submit(go);
  const { permissions } = await answer(codex, {
    permissions: { file_system: { write: [other] } },
  });
  const question = await codex.until("apply_patch_approval_request");
  codex.submit({ type: "patch_approval", id: question.msg.call_id, decision: "denied" });
  await codex.until("task_complete");

  expect(permissions).toEqual({ file_system: { write: [folder] } });
  expect(outputOf(codex)).toEqual(none);
  expect(existsSync(join(folder, "made"))).toBe(false);
});

test.each<[string, unknown, string]>([
  ["nothing", {}, "request_permissions requires at least one permission"],
  ["no network", { network: { enabled: false } }, "requires at least one permission"],
  ["the whole file system", { file_system: { write: ["/"] } }, "it is the whole file system"],
  ["the system", { file_system: { write: ["/etc"] } }, "it is a directory of the system"],
  [
    "the agent's home",
    { file_system: { write: ["../home"] } },
    "it contains the agent's own files",
  ],
  ["what is not there", { file_system: { write: ["new"] } }, "ask for the folder in which it is"],
  ["an empty path", { file_system: { read: [""] } }, "an empty path leads nowhere"],
  ["too much", { file_system: { read: Array(33).fill("/etc") } }, "takes at most 32 paths"],
  ["a number", { file_system: { read: [7] } }, "failed to parse function arguments"],
])("who asks for %s is told so, and the user is not asked", async (_, permissions, told) => {
  await using codex = await startTestCodex({
    model: [asksFor(permissions), says("Done.")],
    config,
  });

  await codex.turn(go);

  expect(outputOf(codex)).toContain(told);
  expect(asked(codex)).toEqual([]);
});

test("another environment than this one is not known", async () => {
  const permissions = { network: { enabled: true } };
  await using codex = await startTestCodex({
    model: [calls("request_permissions", { permissions, environment_id: "far" }, "p1"), says("So")],
    config,
  });

  await codex.turn(go);

  expect(outputOf(codex)).toBe("unknown turn environment id `far`");
});

test("under the never policy the request is denied", async () => {
  await using codex = await startTestCodex({
    model: [asksFor({ network: { enabled: true } }), says("Done.")],
    config: { ...config, approval_policy: "never" },
  });

  await codex.turn(go);

  expect(outputOf(codex)).toEqual(none);
  expect(asked(codex)).toEqual([]);
});

test("an interrupted turn waits for no answer, and one that comes too late is an error", async () => {
  await using codex = await startTestCodex({
    model: [asksFor({ network: { enabled: true } })],
    config,
  });

  codex.submit(go);
  await codex.until("request_permissions");
  codex.submit({ type: "interrupt" });
  await codex.until("turn_aborted");
  const response = { permissions: { network: { enabled: true } }, scope: "session" } as const;
  codex.submit({ type: "request_permissions_response", id: "p1", response }, "late");

  const { id, msg } = await codex.until("error");
  expect({ id, message: msg.message }).toEqual({
    id: "late",
    message: "No question about permissions waits for an answer as p1",
  });
});

test.each<[string, EraName, Record<string, boolean>, boolean]>([
  ["where the settings say so", "current", features, true],
  ["where the settings say so, and the newest version is spoken", "0.166", features, true],
  ["nowhere else", "current", {}, false],
  ["not in versions that had no such question", "0.104", features, false],
])("the model may ask %s", async (_, era, enabled, offered) => {
  await using codex = await startTestCodex({
    era,
    model: [asksFor({ network: { enabled: true } }), says("Done.")],
    config: { ...config, approval_policy: "never", features: enabled },
  });

  await codex.turn(go);

  const names = codex.prompts[0]?.tools.map((tool) => ("name" in tool ? tool.name : tool.type));
  expect(names?.includes("request_permissions")).toBe(offered);
  expect(outputOf(codex)).toEqual(offered ? none : "unsupported call: request_permissions");
});
