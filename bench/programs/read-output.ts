// Reads the output of a command, through runCommand or directly, and prints the cost.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { runCommand } from "../../src/exec/index.js";
import { CodexError } from "../../src/protocol/error.js";
import { createSandbox } from "../../src/sandbox/index.js";
import { peakMb } from "../process-facts.js";

export interface ReadOutputOptions {
  how: "spawn" | "runCommand";
  bytes: number;
}

export interface ReadOutput {
  ms: number;
  peakMb: number;
}

const { how, bytes } = JSON.parse(process.argv[2] ?? "") as ReadOutputOptions;
const argv = ["head", "-c", String(bytes), "/dev/zero"];
const env = { PATH: process.env.PATH ?? "" };

const start = performance.now();
if (how === "spawn") await readAndDrop();
else await readByRunCommand();
const result: ReadOutput = { ms: performance.now() - start, peakMb: peakMb(process.pid) };
console.log(JSON.stringify(result));

async function readAndDrop(): Promise<void> {
  const [file = "", ...args] = argv;
  const child = spawn(file, args, { env, stdio: ["ignore", "pipe", "pipe"] });
  child.stdout.resume();
  child.stderr.resume();
  await once(child, "close");
}

async function readByRunCommand(): Promise<void> {
  const { platform, arch } = process;
  const sandbox = createSandbox({ platform, arch, env: {}, stateDir: "/nonexistent" });
  const policy = { mode: "danger-full-access" } as const;
  const launch = await sandbox.prepare({ argv, cwd: "/", policy, env });
  if (launch instanceof CodexError) throw launch;
  const { exitCode } = await runCommand({ launch, timeoutMs: 120_000, onOutput() {} });
  if (exitCode !== 0) throw new Error(`The command ended with ${exitCode}`);
}
