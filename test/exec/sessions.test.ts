import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, onTestFinished, test } from "vitest";
import {
  ExecSessions,
  type SessionAnswer,
  type SessionEnd,
  type SessionLimits,
  type SessionProblem,
} from "../../src/exec/index.js";
import type { SandboxPolicy } from "../../src/protocol/types.js";
import { bubblewrapWorks } from "../sandbox/support/confined.js";
import { prepare, prepareShell, runs, temporaryFolder, until } from "./support/launch.js";

const open: ExecSessions[] = [];

afterEach(() => Promise.all(open.splice(0).map((sessions) => sessions.endAll())));

function createSessions(limits: Partial<SessionLimits> = {}): ExecSessions {
  const sessions = new ExecSessions({
    shortestLookMs: 50,
    shortestYieldMs: 50,
    graceMs: 200,
    ...limits,
  });
  open.push(sessions);
  return sessions;
}

/** The fields that are the same in every call. */
function facts(answer: SessionAnswer | SessionProblem) {
  if ("problem" in answer) return answer;
  const { chunkId, wallTimeMs, ...rest } = answer;
  expect(chunkId).toMatch(/^[0-9a-f]{6}$/);
  expect(wallTimeMs).toBeGreaterThan(0);
  return rest;
}

/** Looks again and again until all the text since the start fits. */
async function readUntil(
  sessions: ExecSessions,
  first: SessionAnswer | SessionProblem,
  wanted: RegExp,
): Promise<string> {
  let answer = first;
  for (let text = ""; ; ) {
    if ("problem" in answer) throw new Error(`${answer.message} after ${JSON.stringify(text)}`);
    text += answer.text;
    if (wanted.test(text) || answer.sessionId === undefined) return text;
    answer = await sessions.write(answer.sessionId, "");
  }
}

test("a short command is over with the first answer", async () => {
  const sessions = createSessions();

  const answer = await sessions.start({
    launch: await prepareShell("echo out; echo err >&2; exit 2"),
  });

  expect(facts(answer)).toEqual({ exitCode: 2, text: "out\nerr\n", notices: [] });
  expect(sessions.size).toBe(0);
});

test("a long one keeps running and returns more output on each poll", async () => {
  const sessions = createSessions();
  const ends: SessionEnd[] = [];

  const first = await sessions.start({
    launch: await prepareShell("echo one; sleep 0.4; echo two; exit 4"),
    yieldMs: 200,
    onEnd: (end) => ends.push(end),
  });
  const second = await sessions.write(1000, "", { yieldMs: 5_000 });

  expect(facts(first)).toEqual({ sessionId: 1000, text: "one\n", notices: [] });
  expect(facts(second)).toEqual({ exitCode: 4, text: "two\n", notices: [] });
  expect(ends).toMatchObject([{ sessionId: 1000, exitCode: 4, text: "one\ntwo\n" }]);
  expect(facts(await sessions.write(1000, ""))).toEqual({
    problem: "unknown-session",
    message: "Unknown process id 1000",
  });
});

test("without a terminal there is no input", async () => {
  const sessions = createSessions();

  const ended = await sessions.start({ launch: await prepareShell("cat; echo end") });
  const running = await sessions.start({ launch: await prepare(["sleep", "30"]), yieldMs: 50 });
  const refused = await sessions.write(1001, "x");

  expect(facts(ended)).toEqual({ exitCode: 0, text: "end\n", notices: [] });
  expect(facts(running)).toMatchObject({ sessionId: 1001 });
  expect(refused).toEqual({
    problem: "input-closed",
    message:
      "stdin is closed for this session; rerun exec_command with tty=true to keep stdin open",
  });
});

test("if no terminal can be opened, pipes are used, with a notice", async () => {
  const sessions = createSessions();
  const launch = await prepareShell("read x; test -t 0 || echo piped $x");
  const openTerminal = async () => undefined;

  const first = await sessions.start({ launch, terminal: true, openTerminal, yieldMs: 50 });
  const second = await sessions.write(1000, "abc\n", { yieldMs: 5_000 });

  expect(facts(first)).toEqual({
    sessionId: 1000,
    text: "",
    notices: [
      "No terminal could be opened, so the process runs with pipes: it sees no terminal and gets no signals from keys.",
    ],
  });
  expect(facts(second)).toEqual({ exitCode: 0, text: "piped abc\n", notices: [] });
});

test("a program that cannot be started is a problem", async () => {
  const sessions = createSessions();

  const answer = await sessions.start({ launch: await prepare(["no-such-program-xyz"]) });

  expect(answer).toEqual({
    problem: "not-started",
    message: "No such file or directory (os error 2)",
  });
});

test("several run side by side; the one not used for longest makes room", async () => {
  const sessions = createSessions({ sessions: 2, warnFrom: 2 });
  const start = async () => sessions.start({ launch: await prepare(["sleep", "30"]), yieldMs: 50 });

  const [first, second] = [await start(), await start()];
  await sessions.write(1000, "");
  const third = await start();

  expect(facts(first)).toMatchObject({ sessionId: 1000, notices: [] });
  expect(facts(second)).toMatchObject({
    notices: [
      "2 processes are open. Past 2 the one not used for longest is ended: end those you no longer need.",
    ],
  });
  expect(facts(third)).toMatchObject({ sessionId: 1002 });
  expect(await sessions.write(1001, "")).toMatchObject({ problem: "unknown-session" });
  expect(sessions.size).toBe(2);
});

test("no more processes run than the limit if many are started at the same time", async () => {
  const sessions = createSessions({ sessions: 2 });
  const launch = await prepareShell("sleep 60");

  const answers = await Promise.all([1, 2, 3, 4].map(() => sessions.start({ launch, yieldMs: 1 })));

  expect(answers.some((answer) => "problem" in answer)).toBe(false);
  expect(sessions.list()).toHaveLength(2);
});

test("an interrupt ends a process with all it started", async () => {
  const sessions = createSessions();
  const cwd = temporaryFolder();
  const controller = new AbortController();
  const script = "setsid sh -c 'trap \"\" TERM; echo $$ > pid; sleep 30' & sleep 30";
  const running = sessions.start(
    { launch: await prepareShell(script, { cwd }), yieldMs: 20_000 },
    controller.signal,
  );
  const pidFile = join(cwd, "pid");
  await until(() => existsSync(pidFile) && readFileSync(pidFile, "utf8").endsWith("\n"));

  controller.abort();

  expect(facts(await running)).toMatchObject({ exitCode: 128 + 15 });
  if (process.platform === "linux") {
    expect(runs(Number(readFileSync(pidFile, "utf8")))).toBe(false);
  }
  expect(sessions.size).toBe(0);
});

test("of unread output only the beginning and the end are kept", async () => {
  const sessions = createSessions({ bufferBytes: 1000 });

  const answer = await sessions.start({
    launch: await prepareShell("echo first; yes | head -c 1000000; echo last"),
  });

  const { text } = facts(answer) as { text: string };
  expect([text.length, text.startsWith("first\n"), text.endsWith("last\n")]).toEqual([
    1000,
    true,
    true,
  ]);
});

const confinements: [name: string, policy: SandboxPolicy | undefined][] = [
  ["without a sandbox", undefined],
  ["in the sandbox", { mode: "workspace-write", exclude_slash_tmp: true }],
];

describe.each(confinements)("a terminal %s", (_, policy) => {
  const runnable = policy === undefined || bubblewrapWorks;
  const terminalTest = test.runIf(runnable && process.platform !== "win32");
  if (!runnable)
    console.warn("NOT TESTED, bubblewrap does not work here: terminals in the sandbox");

  async function start(sessions: ExecSessions, script: string, cwd = temporaryFolder()) {
    const launch = await prepareShell(script, {
      cwd,
      terminal: true,
      ...(policy === undefined ? {} : { policy }),
    });
    return sessions.start({ launch, terminal: true, yieldMs: 50 });
  }

  terminalTest("echoes, answers and ends like a real one", async () => {
    const sessions = createSessions();

    await start(sessions, "read x; echo got $x; exit 6");
    const answer = await sessions.write(1000, "abc\n", { yieldMs: 5_000 });

    expect(facts(answer)).toEqual({ exitCode: 6, text: "abc\r\ngot abc\r\n", notices: [] });
  });

  terminalTest("loses nothing of what is written right before the end", async () => {
    const sessions = createSessions();
    const expected = Array.from({ length: 20_000 }, (_, index) => `${index + 1}\r\n`).join("");

    const texts = await Promise.all(
      Array.from({ length: 5 }, async () =>
        readUntil(sessions, await start(sessions, "seq 20000"), /never/),
      ),
    );

    expect(texts.map((text) => text === expected)).toEqual(texts.map(() => true));
  });

  terminalTest("has a size that can be changed", async () => {
    const sessions = createSessions();

    const first = await start(sessions, "stty size; read x; stty size");
    const before = await readUntil(sessions, first, /24 80/);
    sessions.resize(1000, { columns: 100, rows: 30 });
    const after = await sessions.write(1000, "\n", { yieldMs: 5_000 });

    expect(before).toBe("24 80\r\n");
    expect(facts(after)).toMatchObject({ exitCode: 0, text: "\r\n30 100\r\n" });
  });

  terminalTest("passes on the interrupt key to the program, not to what is around it", async () => {
    const sessions = createSessions();

    const first = await start(
      sessions,
      "trap 'echo caught' INT; echo ready; until read x; do :; done; echo got $x",
    );
    await readUntil(sessions, first, /ready/);
    await sessions.write(1000, "\x03");
    const answer = await sessions.write(1000, "still here\n", { yieldMs: 5_000 });

    expect(facts(answer)).toMatchObject({
      exitCode: 0,
      text: expect.stringContaining("still here\r\ngot still here\r\n"),
    });
  });

  terminalTest("ends a program that does not care for the interrupt key", async () => {
    const sessions = createSessions();

    const first = await start(sessions, "echo ready; exec sleep 30");
    await readUntil(sessions, first, /ready/);
    const answer = await sessions.write(1000, "\x03", { yieldMs: 5_000 });

    expect(facts(answer)).toMatchObject({ exitCode: 130, text: "^C" });
  });

  terminalTest("leaves nothing behind when it is ended", async () => {
    const sessions = createSessions();
    const cwd = temporaryFolder();
    const descriptors = () =>
      process.platform === "linux" ? readdirSync("/proc/self/fd").length : 0;
    const first = await start(sessions, "true", cwd); // loads the library, whose own file stays open
    await readUntil(sessions, first, /never/);
    const before = descriptors();

    await start(sessions, "while :; do touch tick; sleep 0.02; done", cwd);
    await until(() => existsSync(join(cwd, "tick")));
    const ended = await sessions.end(1001);

    expect([ended, sessions.size]).toEqual([true, 0]);
    await until(() => descriptors() <= before);
    expect(readdirSync(cwd)).toEqual(["tick"]);
  });
});

test.runIf(bubblewrapWorks)(
  "a confined command does not get hold of another session's terminal",
  async () => {
    const sessions = createSessions();
    const cwd = temporaryFolder();
    onTestFinished(() => sessions.endAll());
    await sessions.start({
      launch: await prepareShell("read x", { terminal: true }),
      terminal: true,
      yieldMs: 50,
    });

    const answer = await sessions.start({
      launch: await prepareShell("ls -l /proc/self/fd", { cwd, policy: { mode: "read-only" } }),
    });

    expect(facts(answer)).toMatchObject({ exitCode: 0, text: expect.not.stringContaining("ptmx") });
  },
);
