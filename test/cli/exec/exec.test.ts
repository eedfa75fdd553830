import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { spawn, wait } from "../../support/agents.js";
import { quireCommand } from "../../support/bin.js";
import { makePlace } from "../../support/exec.js";
import { both, calls, ends, fails, hangs, says } from "../../support/model.js";

const runs = (command: string, call_id = "c1") => calls("exec_command", { cmd: command }, call_id);

test("the final message is alone on standard output, progress is on standard error", async () => {
  await using place = await makePlace([both(says("I look."), runs("echo hi")), says("Done.")]);

  const { stdout, stderr, code } = await place.run("quire", [
    "exec",
    "-s",
    "danger-full-access",
    "go",
  ]);

  expect({ stdout, code }).toEqual({ stdout: "Done.\n", code: 0 });
  expect(stderr).toMatch(/^session id: [0-9a-f-]{36}$/m);
  expect(stderr).toContain("user\ngo\n");
  expect(stderr).toContain("codex\nI look.\n");
  expect(stderr).toMatch(/exec\n.*echo hi.* in .*\n succeeded in \d+ms:\nhi\n/);
});

test("with --json every line is an event", async () => {
  await using place = await makePlace([says("Hello.")]);

  const { stdout, code } = await place.run("quire", ["exec", "--json", "hi"]);

  const events = lines(stdout).filter((event) => event.item?.type !== "error");
  expect(code).toBe(0);
  expect(events.map(({ type }) => type)).toEqual([
    "thread.started",
    "turn.started",
    "item.completed",
    "turn.completed",
  ]);
  expect(events[2]?.item).toMatchObject({ type: "agent_message", text: "Hello." });
});

test.each([
  ["never", "read-only", 0],
  ["untrusted", "workspace-write", 4],
])("an agent gets no approval under %s either", async (policy, sandbox, expected) => {
  await using place = await makePlace({
    answers: [[spawn("one")], wait, says("Done.")],
    agents: { "*": [runs("touch made"), says("done")] },
  });
  const flags = ["-m", "gpt-6-sol", "-s", sandbox, "-c", `approval_policy="${policy}"`];

  const { stdout, code } = await place.run("quire", [
    "exec",
    "--disable",
    "code_mode",
    ...flags,
    "go",
  ]);

  expect({ stdout, code }).toEqual({ stdout: "Done.\n", code: expected });
  expect(existsSync(join(place.workspace, "made"))).toBe(false);
});

test("[clients 2] settings without effect are one line for the user, and no event", async () => {
  const config = 'service_tier = "fast"\nmodle = "x"\n';
  await using place = await makePlace([says("Hello."), says("Hello.")], { config });

  const json = await place.run("quire", ["exec", "--json", "--enable", "memories", "hi"]);
  const text = await place.run("quire", ["exec", "--disable", "plugins", "hi"]);

  expect(lines(json.stdout).map(({ type, item }) => item?.type ?? type)).toEqual([
    "thread.started",
    "turn.started",
    "agent_message",
    "turn.completed",
  ]);
  expect(json.stderr).toMatch(/^warning: 3 settings are ignored:$/m);
  expect(json.stderr.match(/settings? (is|are) ignored/g)).toHaveLength(1);
  expect(text.stderr).toMatch(/^warning: 2 settings are ignored:$/m);
  expect(text.stderr.match(/settings? (is|are) ignored/g)).toHaveLength(1);
});

test("[clients 7] a folder of --add-dir that is not there does not end the run", async () => {
  await using place = await makePlace([says("Hello.")]);
  const flags = ["--sandbox", "workspace-write", "--add-dir", "../nowhere"];

  const { stdout, code } = await place.run("quire", ["exec", ...flags, "hi"]);

  expect({ stdout, code }).toEqual({ stdout: "Hello.\n", code: 0 });
});

test("[clients 1] with `auto_review` and no one to ask, exec declines and gives the reason", async () => {
  await using place = await makePlace([runs("touch made.txt"), says("Done.")]);
  const flags = ["-a", "untrusted", "-c", "approvals_reviewer=auto_review"];

  const { stderr } = await place.run("quire", ["exec", ...flags, "go"]);

  expect(stderr).toMatch(/Declined \(no user to approve it\): command .*touch made.txt/);
  expect(existsSync(join(place.workspace, "made.txt"))).toBe(false);
});

test("a prompt is read from standard input, and piped input is appended to a typed one", async () => {
  await using place = await makePlace([says("a"), says("b"), says("c")]);

  await place.run("quire", ["exec", "-"], { stdin: "from stdin\n" });
  await place.run("quire", ["exec"], { stdin: "also from stdin" });
  await place.run("quire", ["e", "look at this"], { stdin: "piped" });

  expect(place.model.requests.map(lastText)).toEqual([
    "from stdin\n",
    "also from stdin",
    "look at this\n\n<stdin>\npiped\n</stdin>",
  ]);
});

test("a standard input that is never closed is not waited for", async () => {
  await using place = await makePlace([says("a")]);

  const { stdout, code } = await place.run("quire", ["exec", "hi"], { stdin: { open: true } });

  expect({ stdout, code }).toEqual({ stdout: "a\n", code: 0 });
  expect(place.model.requests.map(lastText)).toEqual(["hi"]);
});

test.skipIf(process.platform !== "linux")(
  "a neighbour in a pipeline is waited for, however long it takes",
  async () => {
    await using place = await makePlace([says("a")]);
    const program = quireCommand([]).flat().join(" ");
    const pipeline = `(sleep 0.8; echo slow) | ${program} exec look`;

    const options = { cwd: place.workspace, env: place.env };
    const { stdout } = await promisify(execFile)("bash", ["-c", pipeline], options);

    expect(stdout).toBe("a\n");
    expect(place.model.requests.map(lastText)).toEqual(["look\n\n<stdin>\nslow\n</stdin>"]);
  },
);

test("the last message goes to a file, and a schema to the model", async () => {
  await using place = await makePlace([says('{"ok":true}')]);
  const schema = { type: "object", properties: { ok: { type: "boolean" } }, required: ["ok"] };
  await writeFile(join(place.workspace, "schema.json"), JSON.stringify(schema));

  await place.run("quire", ["exec", "--output-schema", "schema.json", "-o", "last.txt", "hi"]);

  expect(await readFile(join(place.workspace, "last.txt"), "utf8")).toBe('{"ok":true}');
  const [request] = place.model.requests as readonly unknown[] as SchemaRequest[];
  expect(request?.body.text.format.schema).toEqual(schema);
});

test("a session is resumed by its id, and the most recent one by --last", async () => {
  await using place = await makePlace([says("one"), says("two"), says("three")]);
  const first = lines((await place.run("quire", ["exec", "--json", "first"])).stdout);
  const id = first[0]?.thread_id as string;

  const second = await place.run("quire", ["exec", "--json", "resume", id, "second"]);
  const third = await place.run("quire", ["exec", "resume", "--last", "third"]);

  expect(lines(second.stdout)[0]).toEqual({ type: "thread.started", thread_id: id });
  expect(third.stdout).toBe("three\n");
  const texts = JSON.stringify(place.model.requests.at(-1));
  for (const said of ["first", "one", "second", "two", "third"]) expect(texts).toContain(said);
});

test("a review is answered with its findings", async () => {
  const outcome = {
    findings: [],
    overall_correctness: "patch is correct",
    overall_explanation: "Nothing to fix.",
    overall_confidence_score: 1,
  };
  await using place = await makePlace([says(JSON.stringify(outcome))]);

  const { stdout, code } = await place.run("quire", ["exec", "review", "--uncommitted"]);
  const both = await place.run("quire", ["exec", "review", "--uncommitted", "--base", "main"]);

  expect({ stdout, code }).toEqual({ stdout: "Nothing to fix.\n", code: 0 });
  expect(both.code).toBe(2);
});

test("nothing is kept of an ephemeral conversation", async () => {
  await using place = await makePlace([says("a")]);

  const { code } = await place.run("quire", ["exec", "--ephemeral", "hi"]);

  expect(code).toBe(0);
  const files = existsSync(join(place.home, "sessions"))
    ? await readdir(join(place.home, "sessions"), { recursive: true })
    : [];
  expect(files.filter((name) => name.endsWith(".jsonl"))).toEqual([]);
});

test.each<[string, string[], Parameters<typeof makePlace>, number, RegExp]>([
  ["a turn that fails", ["hi"], [[fails(400)]], 1, /ERROR: .*mock error/],
  ["a model that is not available", ["hi"], [[fails(503)]], 6, /ERROR/],
  ["a stream that breaks for good", ["hi"], [[ends(says("x"))]], 6, /ERROR/],
  ["a sign-in that is refused", ["hi"], [[fails(401)]], 3, /ERROR/],
  [
    "a limit that is none",
    ["--max-turns", "many", "hi"],
    [[]],
    2,
    /Expected --max-turns to be a positive number/,
  ],
  ["no prompt at all", [], [[]], 2, /No prompt provided/],
  [
    "a mistake in the settings",
    ["hi"],
    [[], { config: "approval_policy = 7" }],
    3,
    /approval_policy/,
  ],
  ["a folder without a repository", ["hi"], [[], { git: false }], 2, /--skip-git-repo-check/],
  [
    "a file in no folder",
    ["-o", "nowhere/last.txt", "hi"],
    [[]],
    2,
    /cannot write to directory .*nowhere/,
  ],
  ["a folder for a file", ["-o", ".", "hi"], [[]], 2, /is a directory/],
  ["a schema that is no JSON", ["--output-schema", "nope.json", "hi"], [[]], 2, /nope\.json/],
])("the exit code tells of %s", async (_, args, [script, options], code, message) => {
  await using place = await makePlace(script, options);

  const ended = await place.run("quire", ["exec", ...args]);

  expect(ended.stderr).toMatch(message);
  expect({ code: ended.code, stdout: ended.stdout }).toEqual({ code, stdout: "" });
});

test("an approval without a user is declined with a warning and an exit code", async () => {
  const asks = calls("exec_command", {
    cmd: "touch asked",
    sandbox_permissions: "require_escalated",
    justification: "it is needed",
  });
  await using place = await makePlace([asks, says("Well.")]);

  const ended = await place.run("quire", ["exec", "-a", "on-request", "-s", "read-only", "hi"]);

  expect({ code: ended.code, stdout: ended.stdout }).toEqual({ code: 4, stdout: "Well.\n" });
  expect(ended.stderr).toMatch(/Declined \(no user to approve it\): .*touch asked/);
  expect(existsSync(join(place.workspace, "asked"))).toBe(false);
});

test("additional permissions are declined, and the warning lists them", async () => {
  const permissions = { network: { enabled: true }, file_system: { write: ["."] } };
  const asks = calls("request_permissions", { permissions, reason: "to publish" });
  await using place = await makePlace([asks, says("Well.")]);
  const feature = ["-c", "features.request_permissions_tool=true"];

  const ended = await place.run("quire", ["exec", ...feature, "-a", "on-request", "hi"]);

  expect({ code: ended.code, stdout: ended.stdout }).toEqual({ code: 4, stdout: "Well.\n" });
  expect(ended.stderr).toContain(
    `additional permissions: use the network, write ${place.workspace} (to publish)`,
  );
});

test.each([
  ["--max-turns", "2", "The budget `budget.session.turns` is used up: 2 of 2"],
  ["--max-tokens", "200", /`budget.session.tokens` is used up: \d+ tokens of 200 tokens/],
])("%s ends a turn that would go on, not one that has its answer", async (option, value, why) => {
  await using place = await makePlace([runs("true", "c1"), runs("true", "c2"), says("far")]);
  await using done = await makePlace([runs("true", "c1"), says("near")]);
  const args = ["exec", "-s", "danger-full-access", option, value, "hi"];

  const far = await place.run("quire", args);
  const near = await done.run("quire", args);

  expect({ code: far.code, stdout: far.stdout }).toEqual({ code: 5, stdout: "" });
  expect(far.stderr).toMatch(why);
  expect({ code: near.code, stdout: near.stdout }).toEqual({ code: 0, stdout: "near\n" });
});

test("--max-seconds ends a turn, and the command that it waits for", async () => {
  await using place = await makePlace([runs("echo $$ > pid; sleep 60"), says("never")]);

  const args = ["exec", "-s", "danger-full-access", "--max-seconds", "1.5", "hi"];
  const { code, stderr } = await place.run("quire", args);

  expect(code).toBe(5);
  expect(stderr).toContain("The budget `budget.session.seconds` is used up: 1.5 s of 1.5 s");
  await expectGone(join(place.workspace, "pid"));
});

test.each(["SIGINT", "SIGTERM"] as const)(
  "%s ends the commands that run and closes the record",
  async (signal) => {
    await using place = await makePlace([runs("echo $$ > pid; echo ready; sleep 60")]);
    const running = place.start("quire", ["exec", "--json", "-s", "danger-full-access", "hi"]);
    await running.until("item.started");
    while (!existsSync(join(place.workspace, "pid"))) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }

    running.child.kill(signal);

    expect((await running.ended).code).toBe(130);
    await expectGone(join(place.workspace, "pid"));
    const record = await readRecord(place.home);
    expect(record).toContainEqual(
      expect.objectContaining({ payload: expect.objectContaining({ type: "turn_aborted" }) }),
    );
  },
);

test("a signal ends a run that waits for the model", async () => {
  await using place = await makePlace([hangs(says("half"))]);
  const running = place.start("quire", ["exec", "hi"]);
  await running.until("half");

  running.child.kill("SIGTERM");

  expect((await running.ended).code).toBe(130);
});

interface SchemaRequest {
  body: { text: { format: { schema: unknown } } };
}

interface Line {
  type: string;
  thread_id?: string;
  item?: { type: string };
}

function lines(stdout: string): Line[] {
  return stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Line);
}

function lastText(request: unknown): string | undefined {
  const { body } = request as { body: { input: { content?: { text: string }[] }[] } };
  return body.input.at(-1)?.content?.at(-1)?.text;
}

async function expectGone(pidFile: string): Promise<void> {
  const pid = Number(await readFile(pidFile, "utf8"));
  expect(() => process.kill(pid, 0)).toThrow("ESRCH");
}

async function readRecord(home: string): Promise<unknown[]> {
  const folder = join(home, "sessions");
  const names = await readdir(folder, { recursive: true });
  const name = names.find((one) => one.endsWith(".jsonl")) ?? "";
  return lines(await readFile(join(folder, name), "utf8"));
}

test("the automatic reviewer decides in place of the user", async () => {
  const decision = (outcome: string) =>
    says(JSON.stringify({ outcome, risk_level: "low", rationale: "So be it." }));
  await using place = await makePlace(
    [
      ...[runs("touch made.txt"), decision("deny"), says("Denied.")],
      ...[runs("touch made.txt"), decision("allow"), says("Done.")],
    ],
    { config: 'approval_policy = "untrusted"\n' },
  );
  const args = ["exec", "-s", "workspace-write", "-c", "approvals_reviewer=auto_review"];

  const json = await place.run("quire", [...args, "--json", "go"]);
  const isMade = existsSync(join(place.workspace, "made.txt"));
  const text = await place.run("quire", [...args, "go"]);

  expect([json.code, isMade, text.code]).toEqual([0, false, 0]);
  expect(lines(json.stdout).map(({ type, item }) => item?.type ?? type)).not.toContain("error");
  expect(json.stdout).toMatch(/"command_execution".*"status":"declined"/);
  expect(text.stderr).toMatch(/^review: Automatic review approved .*made.txt.*: So be it\.$/m);
  expect(existsSync(join(place.workspace, "made.txt"))).toBe(true);
});
