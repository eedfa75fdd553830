import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { quireCommand } from "../../support/bin.js";
import { runPiped } from "../support/inspect-client.js";
import { createUser, type TestUser } from "../support/run-quire.js";
import { spawnQuire } from "../support/spawn-quire.js";

/** A server of its own kind, as a script of Node. */
function serverScript(user: TestUser, code: string): string[] {
  const file = join(user.project, "server.cjs");
  writeFileSync(file, code);
  return [process.execPath, file];
}

const inspect = (args: readonly string[], server: readonly string[]) =>
  quireCommand(["inspect", ...args, "--", ...server]).flat();

const echoing = `
process.stdin.pipe(process.stdout);
process.stderr.write("from the server\\n");
process.stdin.on("end", () => process.exitCode = 7);
`;

test("passes every byte, standard error and the exit code on", async () => {
  using user = createUser();
  const server = serverScript(user, echoing);
  const input = Buffer.concat([
    Buffer.from(
      '{"id":1,"method":"initialize","params":{"big":123456789012345678901234567890}}\r\n',
    ),
    Buffer.from("\n\n  not json\n"),
    Buffer.from([0xff, 0xfe, 0x00, 0x0a]),
    Buffer.from(`{"method":"${"x".repeat(300_000)}"}\n`),
    Buffer.from('{"no":"newline at the end"}'),
  ]);

  const direct = await runPiped(user, server, input);
  const inspected = await runPiped(user, inspect([], server), input);

  expect(inspected.stdout.equals(direct.stdout)).toBe(true);
  expect([inspected.code, direct.code]).toEqual([7, 7]);
  expect(inspected.stderr).toContain("from the server\n");
  expect(inspected.stderr).toContain("exit code 7");
});

test("shows each message with its problems, and redacts secrets", async () => {
  using user = createUser();
  const answers = {
    0: { userAgent: "me/0.104.0 (Debian 12.0.0; x86_64) xterm (me; 1)" },
    1: { data: "wrong", nextCursor: null },
    2: {},
  };
  const server = serverScript(
    user,
    `const answers = ${JSON.stringify(answers)};
    require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
      const { id } = JSON.parse(line);
      if (id === undefined) return;
      console.log(JSON.stringify({ id, result: answers[id] }));
      if (id === 1) console.log('{"id":0,"method":"no/such/request"}\\n{"id":99,"result":{}}');
    });`,
  );
  const lines = [
    { id: 0, method: "initialize", params: { clientInfo: { name: "me", version: "1" } } },
    { id: 1, method: "thread/list", params: { apiKey: "word", cursor: "sk-abcdefghijklmnopqrst" } },
    { id: 2, method: "thread/rewind", params: {} },
  ].map((line) => `${JSON.stringify(line)}\n`);

  const ran = await runPiped(
    user,
    inspect(["--format", "jsonl", "-o", "trace"], server),
    lines.join(""),
    {
      MY_TOKEN: "topsecretvalue",
    },
  );

  const text = readFileSync(join(user.project, "trace"), "utf8");
  const shown = text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(ran.code).toBe(0);
  expect(ran.stderr).toContain("quire inspect: era 0.104, from the version 0.104.0\n");
  expect(ran.stderr).toMatch(/no answer to 0 no\/such\/request of the server\n/);
  expect(
    shown.map(({ from, kind, method, problems }) => [from, kind, method, ...problems]),
  ).toEqual(
    expect.arrayContaining([
      ["client", "request", "initialize"],
      ["server", "result", "initialize"],
      ["client", "request", "thread/list"],
      ["server", "result", "thread/list", 'result.data must be a list, not "wrong".'],
      [
        "server",
        "request",
        "no/such/request",
        "The schemas of era 0.104 have no server request no/such/request",
      ],
      ["server", "result", undefined, "There is no pending request with the id 99"],
    ]),
  );
  expect(text).not.toMatch(/"word"|sk-abc/);
  expect(statSync(join(user.project, "trace")).mode & 0o777).toBe(0o600);
});

test("--strict fails on an invalid message only, and keeps another exit code", async () => {
  using user = createUser();
  const server = serverScript(user, "process.stdin.resume();");
  const failing = serverScript(user, "process.stdin.resume().on('end', () => process.exit(3));");
  const good =
    '{"id":0,"method":"initialize","params":{"clientInfo":{"name":"a","version":"1"}}}\n';

  expect((await runPiped(user, inspect(["--strict"], server), "nonsense\n")).code).toBe(3);
  expect((await runPiped(user, inspect(["--strict"], failing), "nonsense\n")).code).toBe(3);
  writeFileSync(join(user.project, "server.cjs"), "process.stdin.resume();");
  expect((await runPiped(user, inspect(["--strict"], server), "nonsense\n")).code).toBe(1);
  expect((await runPiped(user, inspect(["--strict"], server), good)).code).toBe(0);
  expect((await runPiped(user, inspect([], server), "nonsense\n")).code).toBe(0);
});

test("--only-invalid shows nothing else, and --era replaces what the server states", async () => {
  using user = createUser();
  const server = serverScript(user, "process.stdin.resume();");
  const input =
    '{"id":0,"method":"newConversation","params":{}}\n{"id":1,"method":"thread/rewind","params":{}}\n';

  const { stderr } = await runPiped(
    user,
    inspect(["--only-invalid", "--era", "0.104"], server),
    input,
  );

  expect(stderr).not.toContain("newConversation {");
  expect(stderr).toContain("✗ The schemas of era 0.104 have no method thread/rewind");
});

test("a signal reaches the server, and the signal that ended it ends the inspector", async () => {
  using user = createUser();
  const server = serverScript(
    user,
    `process.on("SIGTERM", () => { console.error("got it"); process.kill(process.pid, "SIGKILL"); });
    setInterval(() => {}, 1000); console.error("ready");`,
  );
  const [file = "", ...args] = inspect([], server);
  await using running = spawnQuire(user, ["inspect", "--", ...server]);
  expect([file, ...args].length).toBeGreaterThan(2);
  await running.untilError(/ready/);
  const ended = once(running.child, "exit");

  running.child.kill("SIGTERM");

  expect(await ended).toEqual([null, "SIGKILL"]);
  expect(running.stderr()).toContain("got it");
});

test("a server gets the same back-pressure as without it, and memory stays bounded", async () => {
  using user = createUser();
  const mebibytes = 64;
  const server = serverScript(
    user,
    `const line = JSON.stringify({ method: "x".repeat(1024 * 1024 - 100) }) + "\\n";
    let left = ${mebibytes};
    const send = () => { while (left-- > 0) if (!process.stdout.write(line)) return process.stdout.once("drain", send); };
    send(); setTimeout(() => console.error("left " + left), 1500);`,
  );
  const [file = "", ...args] = inspect(["-o", "trace"], server);
  const child = spawn(file, args, {
    cwd: user.project,
    env: { PATH: process.env.PATH, CODEX_HOME: user.home },
  });
  let stderr = "";
  child.stderr.on("data", (chunk) => {
    stderr += chunk;
  });
  while (!/left \d+/.test(stderr)) await once(child.stderr, "data");

  // Nothing was read so far, so only what pipes and buffers hold has left the server.
  expect(Number(/left (\d+)/.exec(stderr)?.[1])).toBeGreaterThan(mebibytes - 16);
  let bytes = 0;
  let peak = 0;
  child.stdout.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes < mebibytes * 1024 * 1024 * 0.9) peak = Math.max(peak, peakMemory(child.pid));
  });
  await once(child, "close");

  expect(bytes).toBeGreaterThan(mebibytes * 1024 * 1024 * 0.99);
  expect(peak).toBeLessThan(400);
});

/** Peak of the resident memory of a process, in mebibytes. */
function peakMemory(pid = 0): number {
  try {
    const text = readFileSync(`/proc/${pid}/status`, "utf8");
    return Number(/VmHWM:\s+(\d+)/.exec(text)?.[1]) / 1024;
  } catch {
    return 0; // another system, or it has ended
  }
}

test("a client that closes its side, and a reader of the trace that reads nothing, change nothing", async () => {
  using user = createUser();
  const server = serverScript(user, echoing);
  const [file = "", ...args] = inspect([], server);
  const child = spawn(file, args, {
    cwd: user.project,
    env: { PATH: process.env.PATH, CODEX_HOME: user.home },
  });
  const line = `${JSON.stringify({ method: "turn/x", params: { text: "y".repeat(300) } })}\n`;
  child.stdin.end(line.repeat(30_000));
  let bytes = 0;
  child.stdout.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
  });

  // Standard error is not read at all.
  const [code] = await once(child, "exit");

  expect([code, bytes]).toEqual([7, line.length * 30_000]);
});

test.each([
  [[], "needs the server: `quire inspect -- codex app-server`"],
  [["ws://127.0.0.1:1", "more"], 'Unexpected argument "more" after the URL'],
  [["--remote-auth-token-env", "X", "--", "node"], "needs the URL of a server, not a command"],
  [["--remote-auth-token-env", "X", "ws://127.0.0.1:1"], "X is not set or empty"],
  [["--page", "0.0.0.0:0", "--", "node"], "Expected --page to be a loopback address"],
  [["--era", "0.5", "--", "node"], "Expected --era to be one of 0.39"],
  [["--translate-to", "0.42", "--", "node"], "to be one of 0.104, 0.166"],
  [["--listen", "ipc://", "--", "node"], "cannot listen on ipc://"],
  [["--listen", "tcp://127.0.0.1:0", "--record", "f", "--", "node"], "`--record` and `--listen`"],
  [["--token-file", "f", "--", "node"], "Standard input has a single client"],
])("explains the arguments %j", async (args, message) => {
  using user = createUser();

  const { code, stderr } = await user.run(["inspect", ...args]);

  expect(stderr).toContain(message);
  expect(code).toBe(2);
});

test.each([
  [["--", "/no/such/program"], "Cannot start /no/such/program: not found"],
  [["ws://127.0.0.1:1"], "nothing listens there"],
  [["-o", "/no/such/folder/f", "--", "node"], "Cannot write /no/such/folder/f"],
])("reports that %j does not work", async (args, message) => {
  using user = createUser();

  const { code, stderr } = await user.run(["inspect", ...args]);

  expect(stderr).toContain(message);
  expect(code).toBe(1);
});
