import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { neutralEnv } from "./measure.js";

/** `quire proto` under measurement; it reads nothing of an event but its type. */
export class ProtoProgram {
  readonly child: ChildProcessWithoutNullStreams;
  #root: string;
  #rest = "";
  #waiting: { mark: string; count: number; resolve: () => void } | undefined;

  constructor(baseUrl: string) {
    this.#root = mkdtempSync(join(tmpdir(), "quire-bench-"));
    const [home, workspace] = [join(this.#root, "home"), join(this.#root, "workspace")];
    mkdirSync(home);
    mkdirSync(workspace);
    writeFileSync(join(home, "config.toml"), configText(baseUrl));
    this.child = spawn(process.execPath, [resolve("bin/quire.js"), "proto"], {
      cwd: workspace,
      env: neutralEnv({ HOME: this.#root, CODEX_HOME: home }),
    });
    this.child.stdout.on("data", (data: Buffer) => this.#read(data.toString("latin1")));
  }

  send(message: unknown): void {
    this.child.stdin.write(`${JSON.stringify(message)}\n`);
  }

  /** Resolves when so many events of a type have come from now on. */
  until(type: string, count = 1): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting = { mark: `"msg":{"type":"${type}"`, count, resolve };
    });
  }

  async turn(text: string): Promise<void> {
    const done = this.until("task_complete");
    this.send({ id: "t", op: { type: "user_input", items: [{ type: "text", text }] } });
    await done;
  }

  /** User and system time so far, in milliseconds. */
  cpuMs(): number {
    const fields = readFileSync(`/proc/${this.child.pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
    const ticks = Number(fields[11]) + Number(fields[12]);
    return (ticks * 1000) / 100;
  }

  residentMb(): number {
    const status = readFileSync(`/proc/${this.child.pid}/status`, "utf8");
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
  }

  async end(): Promise<void> {
    this.child.stdin.end();
    if (this.child.exitCode === null) await once(this.child, "exit");
    rmSync(this.#root, { recursive: true, force: true });
  }

  #read(text: string): void {
    this.#rest += text;
    const lines = this.#rest.split("\n");
    this.#rest = lines.pop() ?? "";
    for (const line of lines) {
      const waiting = this.#waiting;
      if (waiting === undefined || !line.includes(waiting.mark)) continue;
      if (--waiting.count > 0) continue;
      this.#waiting = undefined;
      waiting.resolve();
    }
  }
}

function configText(baseUrl: string): string {
  return `model = "mock-model"
model_provider = "mock"
approval_policy = "never"
sandbox_mode = "danger-full-access"
[model_providers.mock]
name = "mock"
base_url = "${baseUrl}"
wire_api = "responses"
`;
}
