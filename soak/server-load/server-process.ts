import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, readFile, readlink, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";

/** Memory and descriptors of a process at one moment. */
export interface Holdings {
  residentMb: number;
  descriptors: number;
  children: number;
}

/** `quire app-server` on a WebSocket, seen from outside. */
export class ServerProcess {
  readonly url: string;
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess, url: string) {
    this.#child = child;
    this.url = url;
  }

  static async start(folder: string, config: string): Promise<ServerProcess> {
    const [home, workspace] = [join(folder, "home"), join(folder, "workspace")];
    await Promise.all([home, workspace].map((path) => mkdir(path, { recursive: true })));
    await writeFile(join(home, "config.toml"), config);
    const args = [resolve("bin/quire.js"), "app-server", "--listen", "ws://127.0.0.1:0"];
    const child = spawn(process.execPath, args, {
      cwd: workspace,
      env: { PATH: process.env.PATH ?? "", HOME: folder, CODEX_HOME: home },
      stdio: ["ignore", "ignore", "pipe"],
    });
    return new ServerProcess(child, await listeningUrl(child));
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  async holdings(): Promise<Holdings> {
    const own = `/proc/${this.#child.pid}`;
    const [status, descriptors, children] = await Promise.all([
      readFile(`${own}/status`, "utf8"),
      readdir(`${own}/fd`),
      readFile(`${own}/task/${this.#child.pid}/children`, "utf8"),
    ]);
    return {
      residentMb: Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024,
      descriptors: descriptors.length,
      children: children.split(" ").filter((pid) => pid.trim() !== "").length,
    };
  }

  /** Descriptors by kind, with their number. */
  async openFiles(): Promise<string> {
    const folder = `/proc/${this.#child.pid}/fd`;
    const kinds = new Map<string, number>();
    for (const name of await readdir(folder)) {
      const target = await readlink(join(folder, name)).catch(() => "gone");
      const kind = target.replace(/[:[].*|[^/]*$/, "").replace(/\d+/g, "N") || target;
      kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    }
    return [...kinds].map(([kind, count]) => `${count} ${kind}`).join(", ");
  }

  /** Resolves with the exit code. */
  async stop(): Promise<number | null> {
    if (!this.isRunning) return this.#child.exitCode;
    this.#child.kill("SIGTERM");
    await once(this.#child, "exit");
    return this.#child.exitCode;
  }
}

async function listeningUrl(child: ChildProcess): Promise<string> {
  let output = "";
  for await (const data of child.stderr ?? []) {
    output += data;
    const url = /listening on (\S+)/.exec(output)?.[1];
    if (url === undefined) continue;
    child.stderr?.resume();
    return url;
  }
  throw new Error(`The server did not start: ${output}`);
}
