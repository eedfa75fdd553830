import { expect, test } from "vitest";
import { initialize, startAppServer } from "../../support/app-server.js";
import { calls, says } from "../../support/model.js";
import type { TestClient } from "../../support/server.js";

const readOnly = 'allowed_sandbox_modes = ["read-only"]\n';
const onRequest = 'allowed_approval_policies = ["on-request"]\n';
const asking = { approval_policy: "on-request", sandbox_mode: "read-only" };

const startThread = async (client: TestClient, params: object = {}) =>
  (await client.call("thread/start", params)) as {
    thread: { id: string };
    approvalPolicy: string;
    sandbox: { type: string };
  };
const warningsOf = (client: TestClient, method: string) =>
  client.heard.filter((one) => one.method === method).map(({ params }) => params as object);

test("a client is warned of settings that are not allowed when it connects, and per thread", async () => {
  await using server = await startAppServer({
    requirements: onRequest,
    config: { sandbox_mode: "read-only" },
  });
  const client = server.connect();
  await initialize(client);
  await client.until("configWarning");

  const first = await startThread(client);
  const second = await startThread(client, { approvalPolicy: "never" });
  await client.until("warning");
  await client.until("warning");

  const message = expect.stringMatching(
    /^Configured value for `approval_policy` is disallowed by requirements; falling back to required value OnRequest\. Details: invalid value for `approval_policy`: `Never` is not in the allowed set \[OnRequest\] \(set by .*requirements\.toml\)$/,
  );
  expect([first.approvalPolicy, second.approvalPolicy]).toEqual(["on-request", "on-request"]);
  expect(warningsOf(client, "configWarning")).toEqual([{ summary: message, details: null }]);
  expect(warningsOf(client, "warning")).toEqual([
    { threadId: first.thread.id, message },
    { threadId: second.thread.id, message },
  ]);
});

test("a thread that asks for more than is allowed falls back, and all clients are warned", async () => {
  await using server = await startAppServer({ requirements: readOnly, config: asking });
  const client = server.connect();
  await initialize(client);

  const opened = await startThread(client, { sandbox: "danger-full-access" });

  expect(opened.sandbox).toEqual({ type: "readOnly", networkAccess: false });
  expect(await client.until("configWarning")).toMatchObject({
    params: { summary: expect.stringContaining("`DangerFullAccess` is not in the allowed set") },
  });
});

const refusal = (word: string, name = "sandbox_mode", allowed = "ReadOnly") =>
  new RegExp(
    `^invalid thread settings override: invalid value for \`${name}\`: \`${word}\` is not in the allowed set \\[${allowed}\\] \\(set by .*requirements\\.toml\\)$`,
  );

test.each<[string, string, object, RegExp]>([
  ["turn/start", "sandboxPolicy", { type: "dangerFullAccess" }, refusal("DangerFullAccess")],
  ["turn/start", "sandboxPolicy", { type: "workspaceWrite" }, refusal("WorkspaceWrite")],
  ["turn/start", "sandboxPolicy", { type: "externalSandbox" }, refusal("ExternalSandbox")],
  [
    "thread/settings/update",
    "sandboxPolicy",
    { type: "workspaceWrite" },
    refusal("WorkspaceWrite"),
  ],
])(
  "%s with a wider %s %j is an error and changes nothing",
  async (method, name, value, message) => {
    await using server = await startAppServer({ requirements: readOnly, config: asking });
    const client = server.connect();
    await initialize(client);
    const { thread } = await startThread(client);
    const params = { threadId: thread.id, input: [{ type: "text", text: "Hi" }], [name]: value };

    await expect(client.call(method, params)).rejects.toMatchObject({
      code: -32600,
      message: expect.stringMatching(message),
    });
    expect(server.prompts).toEqual([]);
    expect(server.server.threads.get(thread.id).settings.sandboxPolicy.mode).toBe("read-only");
  },
);

test("a refused turn can be sent again with allowed settings under the same id", async () => {
  await using server = await startAppServer({
    requirements: onRequest,
    config: asking,
    model: [says("Done.")],
  });
  const client = server.connect();
  await initialize(client);
  const { thread } = await startThread(client);
  const turn = {
    threadId: thread.id,
    input: [{ type: "text", text: "Hi" }],
    clientUserMessageId: "m1",
  };

  await expect(
    client.call("turn/start", { ...turn, approvalPolicy: "never" }),
  ).rejects.toMatchObject({
    message: expect.stringMatching(refusal("Never", "approval_policy", "OnRequest")),
  });
  await client.call("turn/start", turn);
  await client.until("turn/completed");

  expect(server.prompts).toHaveLength(1);
});

test("command/exec cannot widen the sandbox", async () => {
  await using server = await startAppServer({ requirements: readOnly, config: asking });
  const client = server.connect();
  await initialize(client);

  for (const sandboxPolicy of [{ type: "dangerFullAccess" }, { type: "workspaceWrite" }]) {
    await expect(
      client.call("command/exec", { command: ["true"], sandboxPolicy }),
    ).rejects.toMatchObject({
      code: -32600,
      message: expect.stringMatching(/^invalid sandbox policy: invalid value for `sandbox_mode`/),
    });
  }
});

test("broken requirements leave the server running, but nothing starts", async () => {
  await using server = await startAppServer({ requirements: "allowed_sandbox_modes = [\n" });
  const client = server.connect();
  await initialize(client);
  const command = { command: ["true"], sandboxPolicy: { type: "dangerFullAccess" } };

  const place = expect.stringContaining("requirements.toml:");
  expect(await client.until("configWarning")).toMatchObject({
    params: { summary: "Invalid configuration; using defaults.", details: place },
  });
  for (const [method, params] of [
    ["thread/start", {}],
    ["configRequirements/read", undefined],
    ["command/exec", command],
    ["config/value/write", { keyPath: "model", value: "x", mergeStrategy: "replace" }],
  ] as const) {
    await expect(client.call(method, params)).rejects.toMatchObject({ message: place });
  }
});

test("a fixed feature cannot be written", async () => {
  await using server = await startAppServer({ requirements: "[features]\nhooks = false\n" });
  const client = server.connect();
  await initialize(client);
  const write = (keyPath: string, value: unknown) =>
    client.call("config/value/write", { keyPath, value, mergeStrategy: "upsert" });

  const error = {
    code: -32600,
    data: { config_write_error_code: "configValidationError" },
    message: expect.stringMatching(
      /^Invalid configuration: invalid value for `features`: `features\.\w+=true` is not in the allowed set \[hooks=false\] \(set by .*requirements\.toml\)$/,
    ),
  };
  await expect(write("features.hooks", true)).rejects.toMatchObject(error);
  await expect(write("features", { hooks: true })).rejects.toMatchObject(error);
  await expect(write("features.hooks", false)).resolves.toMatchObject({ status: "ok" });
});

test("configRequirements/read shows what is set, and null for everything else", async () => {
  await using server = await startAppServer({
    requirements: `${readOnly}${onRequest}allowed_web_search_modes = ["cached"]\n[features]\nhooks = false\n`,
    config: asking,
  });
  const client = server.connect();
  await initialize(client);

  const { requirements } = (await client.call("configRequirements/read")) as {
    requirements: Record<string, unknown>;
  };

  const set = Object.entries(requirements).filter(([, value]) => value !== null);
  expect(Object.keys(requirements)).toHaveLength(34);
  expect(Object.fromEntries(set)).toEqual({
    allowedLoginMethods: ["api", "chatgpt"],
    allowedApprovalPolicies: ["on-request"],
    allowedSandboxModes: ["read-only"],
    allowedWebSearchModes: ["cached"],
    featureRequirements: { hooks: false },
  });
});

test("without requirements there is nothing to read", async () => {
  await using server = await startAppServer();
  const client = server.connect();
  await initialize(client);

  expect(await client.call("configRequirements/read")).toMatchObject({ requirements: null });
});

const forbidden =
  '[rules]\nprefix_rules = [{ pattern = [{ token = "touch" }], decision = "forbidden", justification = "We create no files." }]\n';

test.each(["touch x", "/usr/bin/touch x", "env touch x", "sh -c 'touch x'", "true && touch x"])(
  "the command %s that the administrator forbids does not run",
  async (cmd) => {
    await using server = await startAppServer({
      requirements: forbidden,
      model: [calls("exec_command", { cmd }), says("Done.")],
    });
    const client = server.connect();
    await initialize(client);
    const { thread } = await startThread(client);

    await client.call("turn/start", {
      threadId: thread.id,
      input: [{ type: "text", text: "Go" }],
    });
    await client.until("turn/completed");

    expect(JSON.stringify(server.prompts[1]?.input.at(-1))).toContain(
      "rejected: We create no files.",
    );
  },
);

test("a turn cannot select a permission profile that is not permitted", async () => {
  await using server = await startAppServer({
    requirements:
      'default_permissions = ":read-only"\nallowed_permission_profiles = {":read-only" = true}\n',
    config: { approval_policy: "on-request" },
    model: [says("done")],
  });
  const client = server.connect();
  await initialize(client);
  const { thread, ...opened } = await startThread(client, { permissions: ":workspace" });
  const turn = { threadId: thread.id, input: [{ type: "text", text: "go" }] };

  expect(opened.sandbox).toMatchObject({ type: "readOnly" });
  for (const more of [
    { permissions: ":workspace" },
    { sandboxPolicy: { type: "workspaceWrite" } },
    { sandboxPolicy: { type: "dangerFullAccess" } },
  ]) {
    await expect(client.call("turn/start", { ...turn, ...more })).rejects.toThrow(
      /`permission_profile`: `:.*` is not in the allowed set \[:read-only\]/,
    );
  }
  await client.call("turn/start", { ...turn, permissions: ":read-only" });
  await client.until("turn/completed");
});

test("managed hooks are shown with all fields", async () => {
  await using server = await startAppServer({
    requirements:
      'allow_managed_hooks_only = true\n[hooks]\nmanaged_dir = "/opt/hooks"\n[[hooks.Stop]]\n' +
      '[[hooks.Stop.hooks]]\ntype = "command"\ncommand = "true"\ntimeout = 3\n',
  });
  const client = server.connect();
  await initialize(client);

  expect(await client.call("configRequirements/read", {})).toMatchObject({
    requirements: {
      allowManagedHooksOnly: true,
      hooks: {
        managedDir: "/opt/hooks",
        windowsManagedDir: null,
        PreToolUse: [],
        Stop: [
          {
            matcher: null,
            hooks: [
              {
                type: "command",
                command: "true",
                commandWindows: null,
                timeoutSec: 3,
                async: false,
                statusMessage: null,
                additionalContextLimit: null,
              },
            ],
          },
        ],
      },
    },
  });
});
