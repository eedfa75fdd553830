import { existsSync } from "node:fs";
import { readFile, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { repeats } from "../support/counts.js";
import { createTestHooks, one } from "./support/hooks.js";

const command = (text: string, more: object = {}) => ({ type: "command", command: text, ...more });
const from = (path: string) => `\${${path}}`;
const cutOff = "the hook failed (interrupted), and it was ended before it could decide";
const group = (...hooks: object[]) => ({ hooks });

test("a hook gets its input on standard input, in the folder of the call", async () => {
  await using test = await createTestHooks(one("PreToolUse", "cat > input; pwd > folder"));

  await test.run("PreToolUse", { input: { tool_name: "Bash", tool_input: { command: "ls" } } });

  expect(JSON.parse(await readFile(join(test.folder, "input"), "utf8"))).toEqual({
    hook_event_name: "PreToolUse",
    tool_name: "Bash",
    tool_input: { command: "ls" },
  });
  expect((await readFile(join(test.folder, "folder"), "utf8")).trim()).toBe(test.folder);
});

test("bash does not read ~/.bashrc because its input is a socket", async () => {
  const env = { PATH: process.env.PATH, SHELL: "/bin/bash", HOME: "." };
  const script = "shopt -q login_shell || touch spared";
  await using test = await createTestHooks(one("PreToolUse", script), { env });
  await writeFile(join(test.folder, ".bashrc"), "touch read\n");

  // Once the start-up files of a login are known, hooks run in a shell that is none.
  await vi.waitUntil(async () => {
    await test.run("PreToolUse", { names: ["Bash"] });
    return existsSync(join(test.folder, "spared"));
  }, patient);

  expect(existsSync(join(test.folder, "read"))).toBe(false);
});

test("hooks run at the same time; all start first and complete in declared order", async () => {
  // Each waits for the other one.
  const meet = (own: string, other: string) => `touch ${own}; until [ -e ${other} ]; do :; done`;
  await using test = await createTestHooks({
    PreToolUse: [group(command(`${meet("a", "b")}; sleep 0.1`)), group(command(meet("b", "a")))],
  });

  await test.run("PreToolUse", { names: ["Bash"], callId: "c1" });

  expect(test.reports.map(({ kind, run }) => [kind, run.id, run.status])).toEqual([
    ["started", "pre-tool-use:0:/h/hooks.json:c1", "running"],
    ["started", "pre-tool-use:1:/h/hooks.json:c1", "running"],
    ["completed", "pre-tool-use:0:/h/hooks.json:c1", "completed"],
    ["completed", "pre-tool-use:1:/h/hooks.json:c1", "completed"],
  ]);
});

test("a run reports its hook and its times", async () => {
  await using test = await createTestHooks(one("SessionStart", "true", { statusMessage: "hi" }));

  await test.run("SessionStart", { names: ["startup"] });

  const [run] = test.completed;
  expect(run).toEqual({
    id: "session-start:0:/h/hooks.json",
    event_name: "session_start",
    handler_type: "command",
    execution_mode: "sync",
    scope: "thread",
    source_path: "/h/hooks.json",
    source: "user",
    display_order: 0,
    status: "completed",
    status_message: "hi",
    started_at: expect.any(Number),
    completed_at: expect.any(Number),
    duration_ms: (run?.completed_at ?? 0) - (run?.started_at ?? 0),
    entries: [],
  });
});

test("the first deny in declared order counts, contexts remain, and the last change wins", async () => {
  const answer = (fields: object) =>
    `printf '%s' '${JSON.stringify({ hookSpecificOutput: { hookEventName: "PreToolUse", ...fields } })}'`;
  const change = (text: string) =>
    answer({ permissionDecision: "allow", updatedInput: { command: text } });
  await using test = await createTestHooks({
    PreToolUse: [
      group(command(answer({ additionalContext: "hello" }))),
      group(command("sleep 0.1; echo second >&2; exit 2")),
      group(command("echo third >&2; exit 2")),
      group(command(`sleep 0.1; ${change("late")}; touch done`)),
      group(command(change("early"))),
    ],
  });

  const outcome = await test.run("PreToolUse", { names: ["Bash"] });

  expect(outcome).toEqual({
    blocked: { reason: "second", runId: "pre-tool-use:1:/h/hooks.json" },
    blocks: [
      { reason: "second", runId: "pre-tool-use:1:/h/hooks.json" },
      { reason: "third", runId: "pre-tool-use:2:/h/hooks.json" },
    ],
    updatedInput: { command: "late" },
    contexts: ["hello"],
  });
});

test("of two decisions about a request, deny wins", async () => {
  const decide = (decision: object) =>
    command(
      `printf '%s' '${JSON.stringify({ hookSpecificOutput: { hookEventName: "PermissionRequest", decision } })}'`,
    );
  await using test = await createTestHooks({
    PermissionRequest: [
      group(decide({ behavior: "allow" }), decide({ behavior: "deny", message: "no" })),
    ],
  });

  expect((await test.run("PermissionRequest", { names: ["Bash"] })).permission).toEqual({
    behavior: "deny",
    message: "no",
  });
});

test("a hook ends at its time limit, with all that it started", async () => {
  const script =
    "trap '' TERM; (setsid sleep 60 & echo $! > child; wait) & echo $$ > own; sleep 60";
  await using test = await createTestHooks(one("PreToolUse", script, { timeout: 1 }));

  const outcome = await test.run("PreToolUse", { names: ["Bash"] });

  expect(outcome).toEqual({ contexts: [] });
  expect(test.completed).toMatchObject([
    { status: "failed", entries: [{ kind: "error", text: "hook timed out after 1s" }] },
  ]);
  for (const name of ["own", "child"]) await expectGone(join(test.folder, name));
});

test("a hook runs until its background processes have closed its output", async () => {
  await using test = await createTestHooks(
    one("UserPromptSubmit", "(sleep 0.3; echo late) & true"),
  );

  expect((await test.run("UserPromptSubmit")).contexts).toEqual(["late"]);
});

test("what a hook leaves behind ends with it", async () => {
  const script = "sleep 60 >/dev/null 2>&1 & echo $! > child";
  await using test = await createTestHooks(one("PreToolUse", script));

  await test.run("PreToolUse", { names: ["Bash"] });

  await expectGone(join(test.folder, "child"));
});

test("a bounded fork bomb ends at the time limit", async () => {
  const script =
    "bomb() { [ $1 -gt 5 ] && exec sleep 60; bomb $(($1+1)) & bomb $(($1+1)) & wait; }; bomb 0";
  await using test = await createTestHooks(one("PreToolUse", script, { timeout: 1 }));

  await test.run("PreToolUse", { names: ["Bash"] });

  expect(test.completed[0]?.entries).toEqual([{ kind: "error", text: "hook timed out after 1s" }]);
});

test("endless output is read up to 64 KiB and does not grow this process", async () => {
  const before = process.memoryUsage().rss;
  await using test = await createTestHooks({
    UserPromptSubmit: [
      group(
        command(
          `head -c ${repeats(300_000_000, 100_000_000)} /dev/zero | tr '\\0' x; echo end >&2`,
          {
            additionalContextLimit: 0,
          },
        ),
      ),
      group(command("yes >&2", { timeout: 1 })),
    ],
  });

  const { contexts } = await test.run("UserPromptSubmit");

  expect(contexts.map((text) => text.length)).toEqual([65536]);
  expect(test.completed[1]?.status).toBe("failed");
  expect(process.memoryUsage().rss - before).toBeLessThan(60_000_000);
});

test("a hook may read, close or ignore an input of 100 MB", async () => {
  const input = { tool_input: { text: "x".repeat(100_000_000) } };
  await using test = await createTestHooks({
    PreToolUse: [
      group(command("true"), command("exec 0<&-; sleep 0.05"), command("head -c 10 > /dev/null")),
      group(command("[ $(wc -c) -gt 100000000 ]")),
    ],
  });

  await test.run("PreToolUse", { names: ["Bash"], input });

  expect(test.completed.map(({ status }) => status)).toEqual(Array(4).fill("completed"));
});

test("an aborted call ends its hooks and rejects", async () => {
  await using test = await createTestHooks(one("PreToolUse", "echo $$ > own; sleep 60"));
  const abort = new AbortController();

  const run = test.run("PreToolUse", { names: ["Bash"] }, abort.signal);
  await vi.waitUntil(() => existsSync(join(test.folder, "own")), { timeout: 20_000 });
  abort.abort(new Error("enough"));

  await expect(run).rejects.toThrow("enough");
  expect(test.completed[0]).toMatchObject({ status: "failed", entries: [{ text: "interrupted" }] });
  await expectGone(join(test.folder, "own"));
});

test("an async hook is not awaited nor reported, unless it fails", async () => {
  await using test = await createTestHooks({
    PreToolUse: [
      group(command("until [ -e go ]; do :; done; touch ran", { async: true })),
      group(command("until [ -e go ]; do :; done; exit 3", { async: true })),
    ],
    Stop: [group(command("touch go"))],
  });

  const outcome = await test.run("PreToolUse", { names: ["Bash"] });
  await test.run("Stop");
  await vi.waitUntil(() => existsSync(join(test.folder, "ran")) && test.warnings.length > 0, {
    timeout: 20_000,
  });

  expect(outcome).toEqual({ contexts: [] });
  expect(test.reports.map(({ run }) => run.event_name)).toEqual(["stop", "stop"]);
  expect(test.warnings).toEqual([
    "An async PreToolUse hook of /h/hooks.json failed: hook exited with code 3",
  ]);
});

test("closing ends the hooks that still run", async () => {
  await using test = await createTestHooks(one("Stop", "echo $$ > own; sleep 60", { async: true }));

  await test.run("Stop");
  await vi.waitUntil(() => existsSync(join(test.folder, "own")), { timeout: 20_000 });
  await test.hooks.close();

  await expectGone(join(test.folder, "own"));
  expect(test.warnings).toEqual([]);
});

test("a long context is cut, and the whole of it is in a file for the user alone", async () => {
  const script = "printf 'start\\n'; head -c 60000 /dev/zero | tr '\\0' x; printf '\\nend'";
  await using test = await createTestHooks(one("SessionStart", script));

  const [text = ""] = (await test.run("SessionStart", { names: ["startup"] })).contexts;

  expect(text).toMatch(
    /^Warning: truncated output \(original token count: 15003\)\nTotal output lines: 3\n\nstart\nx+…\d+ tokens truncated…x+\nend\n\nFull/,
  );
  expect(text.length).toBeLessThan(10_200);
  const path = /Full hook output saved to: (.*)$/.exec(text)?.[1] ?? "";
  expect(await readFile(path, "utf8")).toHaveLength(60_010);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
});

test("a matcher selects the hooks that run", async () => {
  await using test = await createTestHooks({
    PreToolUse: [
      { matcher: "Bash", hooks: [command("true")] },
      { matcher: "Edit|Write", hooks: [command("true")] },
      { matcher: "mcp__.*", hooks: [command("true")] },
    ],
  });

  await test.run("PreToolUse", { names: ["apply_patch", "Edit", "Write"] });

  expect(test.completed.map(({ display_order }) => display_order)).toEqual([1]);
  expect([test.hooks.has("PreToolUse"), test.hooks.has("Stop")]).toEqual([true, false]);
});

test("an http hook posts its input and answers with the body", async () => {
  const requests: unknown[] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    requests.push({ ...JSON.parse(body), token: request.headers["x-token"] });
    if (request.url === "/no")
      response.end(JSON.stringify({ decision: "block", reason: "by http" }));
    else if (request.url === "/slow") return;
    else response.writeHead(request.url === "/moved" ? 302 : 500, { location: "/no" }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const closed = createServer();
  await new Promise<void>((resolve) => closed.listen(0, "127.0.0.1", resolve));
  const nowhere = `http://127.0.0.1:${(closed.address() as AddressInfo).port}/`;
  await new Promise((resolve) => closed.close(resolve));
  const at = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const http = (url: string, more: object = {}) => ({ type: "http", url, ...more });
  await using test = await createTestHooks({
    PreToolUse: [
      group(http(`${at}/no`, { headers: { "x-token": "t" } })),
      group(http(`${at}/broken`), http(`${at}/moved`), http(`${at}/slow`, { timeout: 1 })),
      group(http(nowhere)),
    ],
  });

  const outcome = await test.run("PreToolUse", { names: ["Bash"], input: { tool_name: "Bash" } });
  server.closeAllConnections();
  server.close();

  expect(outcome.blocked?.reason).toBe("by http");
  expect(requests).toContainEqual({ hook_event_name: "PreToolUse", tool_name: "Bash", token: "t" });
  expect(test.completed.map(({ entries }) => entries[0]?.text)).toEqual([
    "by http",
    "hook answered with HTTP status 500",
    "hook answered with HTTP status 302",
    "hook timed out after 1s",
    expect.stringContaining(`hook could not be reached at ${nowhere}: connect ECONNREFUSED`),
  ]);
});

test("an MCP hook fills in values of its input; the text of the result is the answer", async () => {
  const calls: unknown[] = [];
  const tool = (name: string, input: object) => ({
    type: "mcp_tool",
    server: "s",
    tool: name,
    input,
  });
  await using test = await createTestHooks(
    {
      PreToolUse: [
        group(
          tool("check", {
            all: from("tool_input"),
            text: `runs ${from("tool_input.command")} now`,
            n: 1,
          }),
        ),
        group(tool("fail", {}), tool("check", { x: from("nothing") })),
      ],
    },
    {
      callMcpTool: async (server, name, args) => {
        calls.push([server, name, args]);
        const text = JSON.stringify({ decision: "block", reason: "by mcp" });
        return { content: [{ type: "text", text }], isError: name === "fail" };
      },
    },
  );

  const input = { tool_input: { command: "ls" } };
  const outcome = await test.run("PreToolUse", { names: ["Bash"], input });

  expect(calls).toEqual([
    ["s", "check", { all: { command: "ls" }, text: "runs ls now", n: 1 }],
    ["s", "fail", {}],
  ]);
  expect(outcome.blocked?.reason).toBe("by mcp");
  expect(test.completed.map(({ entries }) => entries[0]?.text)).toEqual([
    "by mcp",
    'MCP tool returned an error: {"decision":"block","reason":"by mcp"}',
    `hook input has no value for ${from("nothing")}`,
  ]);
});

test("a function of the program is a hook", async () => {
  await using test = await createTestHooks(one("Stop", "true"), {
    functions: {
      PreToolUse: [
        ({ tool_name }) => ({ decision: "block", reason: `no ${String(tool_name)}` }),
        () => Promise.reject(new Error("broken")),
        () => undefined,
      ],
    },
  });

  const outcome = await test.run("PreToolUse", { names: ["Bash"], input: { tool_name: "Bash" } });

  expect(outcome.blocked?.reason).toBe("no Bash");
  expect(test.completed.map(({ handler_type, status }) => [handler_type, status])).toEqual([
    ["function", "blocked"],
    ["function", "failed"],
    ["function", "completed"],
  ]);
});

/** Waits until the process whose id is in a file is gone. */
async function expectGone(file: string): Promise<void> {
  const pid = Number(await readFile(file, "utf8"));
  await vi.waitUntil(async () => {
    const state = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => ") Z");
    return state.includes(") Z");
  }, patient);
}

/** The machine may be busy. */
const patient = { timeout: 20_000 };

test.each([
  ["PreToolUse", { blocked: { reason: cutOff } }],
  ["UserPromptSubmit", { blocked: { reason: cutOff } }],
  ["PermissionRequest", { permission: { behavior: "deny", message: cutOff } }],
  ["Stop", { contexts: [] }],
] as const)("%s is not let through by hooks that end meanwhile", async (event, expected) => {
  await using test = await createTestHooks(one(event, "touch started; sleep 60"));
  const outcome = test.run(event, { names: ["Bash"] });
  await vi.waitUntil(() => existsSync(join(test.folder, "started")), patient);

  await test.hooks.close();

  expect(await outcome).toMatchObject(expected);
  expect(await test.run(event, { names: ["Bash"] })).toMatchObject(expected);
});
