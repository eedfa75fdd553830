import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { hostState } from "../patch/host-state.js";
import {
  describeConfined,
  type Identity,
  identities,
  type Scene,
} from "../sandbox/support/confined.js";
import { type CallArgument, writeCallProgram } from "../sandbox/support/program.js";
import { calls } from "../support/model.js";
import { type Agent, startAgent, workspaceOnly } from "./support/agent.js";
import { confinedTest } from "./support/confined-test.js";

const onX64 = test.runIf(process.arch === "x64");
const EPERM = 1;
const EROFS = 30;
const families = { netlink: 16, packet: 17, bluetooth: 31, alg: 38, vsock: 40 };

describeConfined("a command", (confined) => {
  onX64("SBX-08: cannot give a file outside another attribute", async () => {
    const scene = confined().scene();
    const setxattr = 188;
    const args = [scene.victim, "user.note", "pwned", 5, 0];

    const refused = await callIn(scene, setxattr, args);
    const free = await callIn(scene, setxattr, args, { unconfined: true });

    expect(refused).toBe(EROFS);
    expect(free).not.toBe(EROFS);
  });

  onX64("SBX-32: can neither attach to a process outside nor read its memory", async () => {
    const scene = confined().scene();
    const outsider = spawn("sleep", ["60"], sameUser(confined().identity));
    const [ptrace, processVmReadv, attach] = [101, 310, 16];
    const pid = outsider.pid ?? 0;

    const attached = await callIn(scene, ptrace, [attach, pid, 0, 0]);
    const readMemory = await callIn(scene, processVmReadv, [pid, 0, 0, 0, 0, 0]);

    expect([attached, readMemory]).toEqual([EPERM, EPERM]);
    expect(readFileSync(`/proc/${pid}/status`, "utf8")).toMatch(/^TracerPid:\t0$/m);
    outsider.kill("SIGKILL");
  });

  onX64.each(Object.entries(families))(
    "SBX-56: gets no socket of the family %s",
    async (_, family) => {
      const scene = confined().scene();
      const [socket, raw] = [41, 3];

      expect(await callIn(scene, socket, [family, raw, 0])).toBe(EPERM);
    },
  );

  test("SBX-42: reaches nothing from a new namespace", async () => {
    const scene = confined().scene();
    const connections: unknown[] = [];
    const server = createServer((socket) => connections.push(socket.end().on("error", () => {})));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const connect = `require("net").connect(${port}, "127.0.0.1").on("error", () => process.exit(7))`;

    await confined().sh(
      scene,
      `for flags in -Ur -Urn -Urmp; do
         unshare $flags sh -c 'echo pwned > ${scene.victim}; touch ${scene.outside}/new'
         unshare $flags node -e '${connect}'
       done; unshare -Ur nsenter -t 1 -n -m node -e '${connect}'`,
    );

    server.close();
    expect(connections).toEqual([]);
    expect(readFileSync(scene.victim, "utf8")).toBe("untouched\n");
    expect(readdirSync(scene.outside)).toEqual(["victim.txt"]);
  });

  async function callIn(
    scene: Scene,
    number: number,
    args: readonly CallArgument[],
    how?: { unconfined: boolean },
  ) {
    const program = join(scene.base, "call");
    writeCallProgram(program, number, args);
    return (await confined().run(scene, [program], how)).exitCode;
  }
});

describe.each(identities)("the program, as %s", (identity) => {
  const tick = "while :; do touch tick; sleep 0.02; done";
  const stubborn = `setsid sh -c 'trap "" TERM HUP INT; ${tick}' & trap "" TERM; sleep 300`;

  confinedTest("SBX-35: takes its sandboxed commands along when it is asked to end", async () => {
    await using agent = await startAgent({
      identity,
      model: [calls("shell", { command: ["sh", "-c", stubborn], timeout_ms: 60_000 })],
    });
    void agent.turn("t", workspaceOnly).catch(() => {});
    await ticks(agent);

    agent.child.kill("SIGTERM");

    await expectSilence(join(agent.workspace, "tick"), 1_000);
    expect((await agent.exit).signal).toBe(null);
  });

  test("SBX-35: ends its children after their grace period", async () => {
    await using agent = await startAgent({
      identity,
      model: [calls("shell", { command: ["sh", "-c", stubborn], timeout_ms: 60_000 })],
    });
    void agent.turn("t").catch(() => {});
    await ticks(agent);

    agent.child.kill("SIGTERM");

    await agent.exit;
    await expectSilence(join(agent.workspace, "tick"), 500);
  });

  confinedTest("SBX-72: starts nothing without user namespaces, and reports why", async () => {
    await using agent = await startAgent({
      identity,
      args: ["sandbox", "--full-auto", "--", "sh", "-c", "touch in ../outside/out"],
      wrapper: () => [
        ...["/usr/bin/bwrap", "--unshare-user", "--disable-userns"],
        ...["--dev-bind", "/", "/", "--"],
      ],
    });

    const { code } = await agent.exit;

    expect(code).toBe(1);
    expect(agent.stderr()).toMatch(/^quire sandbox: No sandbox available: .*namespaces.*sysctl/);
    expect(readdirSync(agent.workspace)).toEqual([]);
    expect(readdirSync(agent.outside)).toEqual(["victim.txt"]);
  });

  confinedTest("SBX-76: opens nothing to itself when it runs inside its own sandbox", async () => {
    await using agent = await startAgent({ identity, args: ["sandbox", "--", "true"] });
    await agent.exit;
    const before = await hostState(agent.outside);
    const [node, program] = [process.execPath, agent.child.spawnargs[1] ?? ""];
    const roots = `sandbox_workspace_write.writable_roots=[${JSON.stringify(agent.outside)}]`;
    const open = 'sandbox_mode="danger-full-access"';
    const attack = "echo pwned > ../outside/victim.txt; touch ../outside/new";
    const inner = (settings: string[]) =>
      [node, program, "sandbox", ...settings, "--", "sh", "-c", attack] as const;
    const outer = [program, "sandbox", "--full-auto", "-c", excluded, "--"];
    const run = (command: readonly string[]) =>
      promisify(execFile)(node, [...outer, ...command], {
        cwd: agent.workspace,
        env: { PATH: process.env.PATH, HOME: agent.root, CODEX_HOME: agent.home },
        ...sameUser(identity),
      }).catch((error: unknown) => error);

    await run(inner(["--full-auto", "-c", roots]));
    await run(inner(["-c", open]));

    expect(await hostState(agent.outside)).toEqual(before);
  });
});

const excluded = "sandbox_workspace_write.exclude_slash_tmp=true";

function sameUser(identity: Identity) {
  const asNobody = process.getuid?.() === 0 && identity === "user";
  return asNobody ? { uid: 65534, gid: 65534 } : {};
}

async function ticks({ workspace }: Agent): Promise<void> {
  while (!existsSync(join(workspace, "tick"))) await delay(5);
}

/** Waits until a file is no longer modified; fails after `patienceMs`. */
async function expectSilence(file: string, patienceMs: number): Promise<void> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    rmSync(file, { force: true });
    await delay(100);
    if (statSync(file, { throwIfNoEntry: false }) === undefined) return;
    expect(performance.now()).toBeLessThan(deadline);
  }
}
