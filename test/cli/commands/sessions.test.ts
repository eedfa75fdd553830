import { existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { item, meta, said } from "../../rollout/support.js";
import { createUser, type TestUser } from "../support/run-quire.js";

const day = 24 * 60 * 60 * 1000;

/** Writes a session that was last added to so many days ago; returns its id. */
function session(
  user: TestUser,
  n: number,
  { days = 0, first = said("user", `task ${n}`), lines = [] as object[], facts = {} } = {},
): string {
  const id = `0192c7a1-0000-7000-8000-00000000000${n}`;
  const path = join(user.home, `sessions/2025/01/01/rollout-2025-01-01T00-00-0${n}-${id}.jsonl`);
  const all = [meta({ id, cwd: user.project, ...facts }), ...first, ...lines];
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, all.map((line) => `${JSON.stringify(line)}\n`).join(""));
  const time = new Date(Date.now() - days * day);
  utimesSync(path, time, time);
  return id;
}

describe("quire sessions", () => {
  test("list shows the newest first, for people and for programs", async () => {
    using user = createUser();
    const old = session(user, 1, { days: 3 });
    const young = session(user, 2);

    const text = await user.run(["sessions", "list"]);
    const json = await user.run(["sessions", "list", "--json", "-C", "."]);

    expect(text.stdout.split("\n").map((line) => line.slice(18))).toEqual([
      `${"Id".padEnd(36)}  About`,
      `${young}  task 2`,
      `${old}  task 1`,
      "",
    ]);
    const [first, second] = JSON.parse(json.stdout);
    expect([first.id, second.id]).toEqual([young, old]);
    expect(first).toMatchObject({ preview: "task 2", name: null, archived: false });
  });

  test("list prints a message of several lines on one", async () => {
    using user = createUser();
    const lines = said("user", "fix this\n\n  and that\n");
    const id = session(user, 1, { first: lines });

    const { stdout } = await user.run(["sessions", "list"]);

    expect(stdout).toContain(`${id}  fix this and that\n`);
  });

  test("an empty home has no sessions, and a bad limit is refused", async () => {
    using user = createUser();

    expect(await user.run(["sessions"])).toEqual({
      code: 0,
      stdout: "No sessions found.\n",
      stderr: "",
    });
    expect((await user.run(["sessions", "list", "--json"])).stdout).toBe("[]\n");
    expect(await user.run(["sessions", "list", "-n", "many"])).toMatchObject({ code: 2 });
  });

  test("control sequences of a prompt are shown, not sent", async () => {
    using user = createUser();
    const id = session(user, 1, { lines: [...said("user", "second\u001b[2J")] });
    writeFileSync(
      join(user.home, "session_index.jsonl"),
      `${JSON.stringify({ id, thread_name: "a\u001b]0;b\u0007", updated_at: "2025-01-01T00:00:00Z" })}\n`,
    );

    const { stdout } = await user.run(["sessions", "list"]);

    expect(stdout).not.toContain("\u001b");
    expect(stdout).toContain("a\\u{1b}]0;b\\u{7}: task 1");
  });

  test("du sums up active and archived sessions", async () => {
    using user = createUser();
    const id = session(user, 1);
    session(user, 2);
    await user.run(["archive", id]);

    const { stdout } = await user.run(["sessions", "du", "--json"]);

    const use = JSON.parse(stdout);
    expect(use.active.sessions).toBe(1);
    expect(use.archived.sessions).toBe(1);
    expect(use.total.bytes).toBe(use.active.bytes + use.archived.bytes);
    expect((await user.run(["sessions", "du"])).stdout).toMatch(/^archived +1 /m);
  });

  test("prune asks for confirmation and deletes only old sessions", async () => {
    using user = createUser();
    const old = session(user, 1, { days: 40 });
    session(user, 2, { days: 1 });

    const prune = ["sessions", "prune", "--older-than", "30d"];
    expect(await user.run(["sessions", "prune", "--older-than", "x"])).toMatchObject({ code: 2 });
    expect(await user.run(["sessions", "prune", "--dry-run"])).toMatchObject({
      stdout: `${old}\n`,
    });
    expect(await user.run(prune)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("pass --yes"),
    });
    expect(await user.run([...prune, "--dry-run"])).toMatchObject({ code: 0, stdout: `${old}\n` });
    expect((await user.run([...prune, "--yes"])).stdout).toMatch(/^Deleted 1 session \(/);
    expect(await user.run([...prune, "--yes"])).toEqual({
      code: 0,
      stdout: "",
      stderr: "Would delete 0 sessions (0 B)\n",
    });
    expect((await user.run([...prune, "--yes", "--json"])).stdout).toBe("[]\n");
    expect((await user.run(["sessions", "list"])).stdout).toContain("task 2");
  });

  test("prune keeps sessions that a newer one was forked from", async () => {
    using user = createUser();
    const [first, second, alone] = [1, 2, 3].map((n) => session(user, n, { days: 40 }));
    const base = (id: string | undefined) => ({
      history_base: { thread_id: id, end_ordinal_exclusive: 1, end_byte_offset: 1 },
    });
    session(user, 2, { days: 40, facts: base(first) });
    session(user, 4, { facts: base(second) });

    const { stdout } = await user.run(["sessions", "prune", "--dry-run"]);

    expect(stdout).toBe(`${alone}\n`);
  });

  test("export to Markdown redacts secrets; JSON has what was recorded", async () => {
    using user = createUser();
    const [own, token] = ["hunter2-of-the-user", `ghp_${"a".repeat(36)}`];
    const id = session(user, 1, { first: said("user", `use ${own} and ${token}`) });
    const env = { SHOP_PASSWORD: own };

    const markdown = await user.run(["sessions", "export", id], { env });
    const json = await user.run(["sessions", "export", id, "--json"], { env });

    expect(markdown.stdout).toContain("use [REDACTED] and [REDACTED]");
    expect(json.stdout).toContain(`use ${own} and ${token}`);
  });

  test("export writes messages and calls", async () => {
    using user = createUser();
    const call = { type: "function_call", name: "shell", call_id: "c" } as const;
    const args = JSON.stringify({ command: ["bash", "-lc", "ls -a"] });
    const output = JSON.stringify({ output: "a ```` b\n", metadata: { exit_code: 0 } });
    const id = session(user, 1, {
      lines: [
        item({ ...call, arguments: args }),
        item({ type: "function_call_output", call_id: "c", output }),
        ...said("assistant", "Done."),
      ],
    });

    const { stdout } = await user.run(["sessions", "export", id.slice(0, 12)]);
    const file = await user.run(["sessions", "export", id, "--json", "-o", "out.json"]);
    const again = await user.run(["sessions", "export", id, "-o", "out.json"]);
    const printed = await user.run(["sessions", "export", id, "-"]);

    expect(stdout).toBe(
      [
        `# Session ${id}`,
        `Began 2025-01-01T00:00:00.000Z in \`${user.project}\`.`,
        "## User",
        "task 1",
        "```sh\n$ ls -a\n```",
        "`````\na ```` b\n`````",
        "## Codex",
        "Done.\n\n",
      ].join("\n\n"),
    );
    expect(file.code).toBe(0);
    expect(JSON.parse(readFileSync(join(user.project, "out.json"), "utf8"))).toHaveLength(7);
    expect(again).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("out.json exists already"),
    });
    expect(printed.stdout).toBe(stdout);
  });
});

describe("one session", () => {
  test("is put away, brought back and removed by its id, a part of it, or its name", async () => {
    using user = createUser();
    const id = session(user, 1);
    writeFileSync(
      join(user.home, "session_index.jsonl"),
      `${JSON.stringify({ id, thread_name: "mine", updated_at: "2025-01-01T00:00:00Z" })}\n`,
    );

    expect(await user.run(["archive", "mine"])).toMatchObject({
      code: 0,
      stdout: `Archived session ${id}.\n`,
    });
    expect(existsSync(join(user.home, "archived_sessions"))).toBe(true);
    expect(await user.run(["archive", "mine"])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("No active session found matching 'mine'."),
    });
    expect(await user.run(["unarchive", id.slice(0, 8)])).toMatchObject({ code: 0 });
    expect(await user.run(["delete", "mine"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`quire delete --force ${id}`),
    });
    expect(await user.run(["delete", "--force", "mine"])).toMatchObject({ code: 2 });
    expect(await user.run(["delete", "--force", id])).toMatchObject({
      code: 0,
      stdout: `Deleted session ${id}.\n`,
    });
    expect((await user.run(["delete", id])).stderr).toContain(
      `No active or archived session found matching '${id}'.`,
    );
  });

  test("a beginning that several share is refused", async () => {
    using user = createUser();
    session(user, 1);
    session(user, 2);

    expect(await user.run(["archive", "0192c7a1"])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("Ambiguous session id prefix 0192c7a1"),
    });
    expect(await user.run(["archive"])).toMatchObject({ code: 2 });
  });
});
