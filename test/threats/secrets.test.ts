import { execFileSync } from "node:child_process";
import { lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { hostState } from "../patch/host-state.js";
import { identities } from "../sandbox/support/confined.js";
import { calls, says } from "../support/model.js";
import { startAgent, workspaceOnly } from "./support/agent.js";
import { confinedTest, hasSandbox } from "./support/confined-test.js";
import { outputsIn } from "./support/outputs.js";

const secrets = {
  OPENAI_API_KEY: "sk-hush-1",
  GITHUB_TOKEN: "ghp-hush-2",
  AWS_SECRET_ACCESS_KEY: "aws-hush-3",
  My_Secret: "hush-4",
};

describe.each(identities)("the agent's secrets, as %s", (identity) => {
  const look = "env; tr '\\0' '\\n' < /proc/$PPID/environ; cat /proc/[0-9]*/environ; echo LOOKED";
  const model = [
    calls("shell", { command: ["sh", "-c", look] }, "c1"),
    calls("shell_command", { command: look, login: false }, "c2"),
    calls("exec_command", { cmd: look, login: false, shell: "/bin/sh" }, "c3"),
    says("Done."),
  ];

  confinedTest.each([
    ["read-only", { sandbox_policy: { mode: "read-only" } }],
    ["workspace-write", workspaceOnly],
  ])(
    "SEC-01: do not reach commands, nor can they be read off the agent, in %s",
    async (_, policy) => {
      await using agent = await startAgent({ identity, env: secrets, model });

      const events = await agent.turn("t", policy);

      const looked = events.filter((event) => JSON.stringify(event).includes("LOOKED"));
      expect(looked.length).toBeGreaterThan(2);
      expect(JSON.stringify([events, agent.model.requests])).not.toMatch(/hush-\d/);
    },
  );

  test("SEC-01: do not reach commands without a sandbox either", async () => {
    const command = ["sh", "-c", "env; echo LOOKED"];
    await using agent = await startAgent({
      identity,
      env: secrets,
      model: [
        calls("shell", { command }, "c1"),
        calls("exec_command", { cmd: "env; echo LOOKED", login: false, shell: "/bin/sh" }, "c2"),
        says("Done."),
      ],
    });

    const events = await agent.turn("t");

    expect(outputsIn(agent.model.requests.at(-1)?.body)).toEqual([
      expect.stringContaining("LOOKED"),
      expect.stringContaining("LOOKED"),
    ]);
    expect(JSON.stringify([events, agent.model.requests])).not.toMatch(/hush-\d/);
  });

  test("SEC-04: are in no request, file or message", async () => {
    await using agent = await startAgent({
      identity,
      env: secrets,
      model: [calls("shell", { command: ["true"] }), says("Done.")],
    });

    await agent.turn("t");
    agent.write("not json\n");
    agent.submit("x", { type: "make_coffee" });
    await agent.until("error", "x");
    agent.child.stdin.end();
    await agent.exit;

    expect(JSON.stringify(agent.model.requests)).not.toMatch(/hush-\d/);
    expect(JSON.stringify(agent.events) + agent.stdout() + agent.stderr()).not.toMatch(/hush-\d/);
    expect(JSON.stringify(await hostState(agent.root))).not.toMatch(/hush-\d/);
  });

  test("SEC-02: files that the agent writes are readable by the user only", async () => {
    await using agent = await startAgent({
      identity,
      wrapper: () => ["/bin/sh", "-c", 'umask 022; exec "$0" "$@"'],
      model: [calls("shell", { command: ["touch", "made"] }), says("Done.")],
    });

    agent.submit("h", { type: "add_to_history", text: "remember me" });
    void agent.turn("t", { approval_policy: "untrusted" });
    await agent.until("exec_approval_request", "t");
    const prefix = { proposed_execpolicy_amendment: ["touch"] };
    agent.submit("a", {
      type: "exec_approval",
      id: "c1",
      decision: { approved_execpolicy_amendment: prefix },
    });
    await agent.until("task_complete", "t");
    const whileRunning = modesIn(agent.home);
    agent.child.stdin.end();
    await agent.exit;

    const own = ([name]: [string, string]) => name !== "config.toml";
    const open = ([, mode]: [string, string]) => mode !== "file 600" && mode !== "folder 700";
    const all = [...whileRunning, ...modesIn(agent.home)].filter(own);
    expect(all.filter(open)).toEqual([]);
    const names = all.map(([name]) => name.replace(/[/-]\d.*/, ""));
    expect(names).toEqual(
      expect.arrayContaining(["history.jsonl", "sessions", "rules/default.rules"]),
    );
  });
});

const straceWorks = (() => {
  try {
    execFileSync("strace", ["-f", "-b", "execve", "-o", "/dev/null", "true"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
})();

describe("SEC-06: temporary files", () => {
  test.runIf(hasSandbox && straceWorks)(
    "have unpredictable names, and are new and private",
    async () => {
      const patch = "*** Begin Patch\n*** Add File: new\n+x\n*** End Patch";
      await using agent = await startAgent({
        wrapper: ({ root }) => [
          ...["strace", "-f", "-b", "execve", "-s", "300", "-o", join(root, "trace")],
          ...["-e", "trace=open,openat,creat,mkdir,mkdirat"],
        ],
        model: [
          calls("shell", { command: ["true"] }, "c1"),
          calls("shell", { command: ["true"] }, "c2"),
          calls("apply_patch", { input: patch }, "c3"),
          says("Done."),
        ],
      });

      await agent.turn("t", workspaceOnly);
      agent.child.stdin.end();
      await agent.exit;

      const created = createdIn(readFileSync(join(agent.root, "trace"), "utf8"));
      const isShared = /^\/(tmp|dev\/shm|var\/tmp)\//;
      const loose = created.filter(
        ({ path }) =>
          isShared.test(path) && !path.startsWith(agent.root) && !path.startsWith(ownFolder),
      );
      expect(loose.length).toBeGreaterThan(3);
      for (const { path, flags, mode } of loose) {
        expect([path, flags.includes("O_EXCL"), mode]).toEqual([path, true, "0600"]);
        expect(path).toMatch(/-[a-z0-9]{8,}$/);
      }
      expect(new Set(loose.map(({ path }) => path)).size).toBe(loose.length);
    },
  );

  test.runIf(hasSandbox && process.getuid?.() === 0)(
    "do not follow links of another user",
    async () => {
      const uid = 60_000 + (process.pid % 5_000);
      const place = `/dev/shm/quire-${uid}`;
      const trap = `/dev/shm/trap-${uid}`;
      mkdirSync(trap, { mode: 0o777 });
      symlinkSync(trap, place);
      try {
        await using agent = await startAgent({
          identity: uid,
          model: [calls("shell", { command: ["touch", "made"] }), says("Done.")],
        });

        await agent.turn("t", workspaceOnly);

        expect(readdirSync(agent.workspace)).toEqual(["made"]);
        expect(readdirSync(trap)).toEqual([]);
      } finally {
        rmSync(place);
        rmSync(trap, { recursive: true });
      }
    },
  );
});

/** Folder shared by the programs of one user; no other user can create or change it. */
const ownFolder = `/dev/shm/quire-${process.getuid?.()}`;

interface Created {
  path: string;
  flags: string;
  mode: string;
}

/** Returns the files and folders that a trace shows being created. */
function createdIn(trace: string): Created[] {
  const opened = /(?:open|openat)\((?:AT_FDCWD, )?"([^"]+)", (\S*O_CREAT\S*), (\d+)\) = \d/g;
  const folders = /mkdir(?:at)?\((?:AT_FDCWD, )?"([^"]+)", (\d+)\) += 0/g;
  return [
    ...[...trace.matchAll(opened)].map(([, path = "", flags = "", mode = ""]) => ({
      path,
      flags,
      mode,
    })),
    ...[...trace.matchAll(folders)].map(([, path = "", mode = ""]) => ({ path, flags: "", mode })),
  ];
}

function modesIn(folder: string): [string, string][] {
  const names = readdirSync(folder, { recursive: true }) as string[];
  return names.map((name) => {
    const stats = lstatSync(join(folder, name));
    return [name, `${stats.isDirectory() ? "folder" : "file"} ${(stats.mode & 0o777).toString(8)}`];
  });
}
