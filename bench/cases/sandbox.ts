import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { runCommand } from "../../src/exec/index.js";
import { CodexError } from "../../src/protocol/error.js";
import type { SandboxPolicy } from "../../src/protocol/types.js";
import { createSandbox, type Sandbox } from "../../src/sandbox/index.js";
import { type Figure, LeftOut, type Scope } from "../figure.js";
import { inFlight } from "../in-flight.js";
import { interleaved, neutralEnv, timed } from "../measure.js";

const rootCounts = [1, 10, 50] as const;

/** Cost of a command in the sandbox, beside a bare spawn of the same program. */
export async function sandboxFigures({ short, folder }: Scope): Promise<Figure[]> {
  const place = makePlace(folder);
  const sandbox = createSandbox({
    platform: process.platform,
    arch: process.arch,
    env: {},
    userHome: place.userHome,
    agentHome: place.agentHome,
    stateDir: join(place.agentHome, "quire"),
  });
  const unavailable = await sandbox.unavailable();
  if (unavailable !== undefined) throw new LeftOut(unavailable.message);
  try {
    const commands = commandsIn(sandbox, place);
    for (const { run } of commands) await run();
    return [
      ...(await singleFigures(commands, short ? 40 : 200)),
      await flightFigure(commands, short ? 160 : 800),
    ];
  } finally {
    sandbox.close();
  }
}

interface Place {
  userHome: string;
  agentHome: string;
  workspace: string;
  roots: string[];
}

/** A way to run `true`. */
interface Way {
  name: string;
  run(): Promise<void>;
}

function makePlace(folder: string): Place {
  const base = join(folder, "sandbox");
  const [userHome, workspace] = [join(base, "user"), join(base, "workspace")];
  const agentHome = join(userHome, ".codex");
  const roots = Array.from({ length: 50 }, (_, n) => join(base, "roots", String(n)));
  for (const path of [agentHome, workspace, ...roots]) mkdirSync(path, { recursive: true });
  return { userHome, agentHome, workspace, roots };
}

function commandsIn(sandbox: Sandbox, { workspace, roots }: Place): Way[] {
  const through = (name: string, policy: SandboxPolicy): Way => ({
    name,
    async run() {
      const command = { argv: ["true"], cwd: workspace, policy, env: neutralEnv() };
      const launch = await sandbox.prepare(command);
      if (launch instanceof CodexError) throw launch;
      const { exitCode, stderr } = await runCommand({ launch });
      if (exitCode !== 0) throw new Error(`true ended with ${exitCode}: ${stderr}`);
    },
  });
  return [
    { name: "a bare spawn", run: () => bareSpawn(workspace) },
    through("a command without a sandbox", { mode: "danger-full-access" }),
    ...rootCounts.map((count) =>
      through(`${count} ${count === 1 ? "root" : "roots"}`, {
        mode: "workspace-write",
        network_access: false,
        exclude_tmpdir_env_var: true,
        exclude_slash_tmp: true,
        // The workspace is one of them.
        writable_roots: roots.slice(1, count),
      }),
    ),
  ];
}

async function bareSpawn(cwd: string): Promise<void> {
  const child = spawn("true", [], { cwd, env: neutralEnv(), stdio: ["ignore", "pipe", "pipe"] });
  child.stdout.resume();
  child.stderr.resume();
  await once(child, "close");
}

async function singleFigures(ways: readonly Way[], rounds: number): Promise<Figure[]> {
  const medians = await interleaved(
    rounds,
    ways.map(
      ({ run }) =>
        () =>
          timed(run),
    ),
  );
  const [bare = 0, plain = 0, ...confined] = medians;
  const beside = { name: "a bare spawn", value: bare };
  return [
    { key: "exec.plain", name: "a command, no sandbox", value: plain, unit: "ms", beside },
    ...rootCounts.map((count, index): Figure => {
      const name = `a command, sandbox with ${count} ${count === 1 ? "root" : "roots"}`;
      const value = confined[index] ?? 0;
      const key = `sandbox.roots.${count}`;
      return { key, name, value, unit: "ms", beside, aim: { atMostOver: 8 } };
    }),
  ];
}

async function flightFigure([bare, , confined]: readonly Way[], count: number): Promise<Figure> {
  const rate = (way: Way | undefined) => async () => {
    const ms = await timed(() => inFlight(16, count / 4, () => way?.run() ?? Promise.resolve()));
    return (count / 4 / ms) * 1000;
  };
  const [bareRate = 0, confinedRate = 0] = await interleaved(4, [rate(bare), rate(confined)]);
  return {
    key: "sandbox.flight",
    name: "sandboxed commands, 16 in flight",
    value: confinedRate,
    unit: "/s",
    beside: { name: "bare spawns", value: bareRate },
  };
}
