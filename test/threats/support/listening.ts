import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import {
  listenScriptedModel,
  type Script,
  type ScriptedServer,
} from "../../../src/model/scripted/index.js";
import {
  type Channel,
  type ConnectOptions,
  connect,
  stdioChannel,
} from "../../../src/transport/index.js";
import { quireCommand } from "../../support/bin.js";
import { playedBy } from "../../support/program.js";
import { statusField } from "./agent.js";

/** All transports of the program. */
export const places = ["stdio", "unix", "ws+unix", "tcp", "ws", "http", "h2", "grpc"] as const;

/**
 * Transports that other programs of this machine, and web pages in its browser, can reach by a
 * port.
 */
export const ports = ["tcp", "ws", "http", "h2", "grpc"] as const;

/** Every protocol that the program serves. */
export const surfaces = ["proto", "app-server", "mcp-server"] as const;

export type PlaceName = (typeof places)[number];
export type Surface = (typeof surfaces)[number];

/** Options for starting the program. */
export interface ListeningOptions {
  model?: Script;
  args?: string[];
  settings?: string;
  env?: Record<string, string>;
  /** Prepares the folder around home and workspace before the program starts. */
  furnish?(root: string): void;
}

/** The built program, listening for clients. */
export interface Listening extends AsyncDisposable {
  url: string;
  pid: number;
  child: ChildProcessWithoutNullStreams;
  root: string;
  home: string;
  workspace: string;
  model: ScriptedServer;
  stderr(): string;
  join(options?: ConnectOptions): Promise<Wire>;
  peakMemory(): number;
  exit: Promise<number | null>;
}

/** Starts the built program in separate folders; dispose it with `await using`. */
export async function startListening(
  surface: Surface,
  place: PlaceName,
  options: ListeningOptions = {},
): Promise<Listening> {
  const root = mkdtempSync(join(tmpdir(), "quire-listening-"));
  const [home, workspace] = [join(root, "home"), join(root, "workspace")];
  for (const folder of [home, workspace]) mkdirSync(folder);
  const model = await listenScriptedModel({ script: options.model ?? [] });
  writeFileSync(join(home, "config.toml"), playedBy(model, options.settings));
  options.furnish?.(root);
  const where = place === "stdio" ? [] : ["--listen", addressOf(place, root)];
  const child = spawn(...quireCommand([surface, ...where, ...(options.args ?? [])]), {
    cwd: workspace,
    env: { PATH: process.env.PATH ?? "", HOME: root, CODEX_HOME: home, ...options.env },
  });
  // A test that times out is never disposed.
  onTestFinished(() => void child.kill("SIGKILL"));
  let stderr = "";
  child.stderr.on("data", (data) => {
    stderr += data;
  });
  child.stdin.on("error", () => undefined);
  const exit = once(child, "close").then(([code]) => code as number | null);
  const url = place === "stdio" ? "stdio://" : await urlOf(child, () => stderr);
  const open = () => (place === "stdio" ? ownChannel(child) : undefined);
  return {
    url,
    pid: child.pid ?? 0,
    child,
    root,
    home,
    workspace,
    model,
    stderr: () => stderr,
    join: async (given = {}) => new Wire(open() ?? (await connect(url, given))),
    peakMemory: () => statusField(child.pid ?? 0, "VmHWM") * 1024,
    exit,
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null && child.signalCode === null) child.kill("SIGKILL");
      await exit;
      await model.close();
      await rm(root, { recursive: true, force: true });
    },
  };
}

/** A client that sends arbitrary messages. */
export class Wire {
  readonly channel: Channel;
  readonly messages: Record<string, unknown>[] = [];
  #waiting = new Set<() => void>();
  #isOver = false;

  constructor(channel: Channel) {
    this.channel = channel;
    void this.#read();
  }

  send(message: unknown): void {
    this.channel.send(message);
  }

  /** Waits for the first matching message. */
  async until(fits: (message: Record<string, unknown>) => boolean) {
    for (;;) {
      const found = this.messages.find(fits);
      if (found !== undefined) return found;
      if (this.#isOver) throw new Error(`The server exited after ${JSON.stringify(this.messages)}`);
      await new Promise<void>((done) => this.#waiting.add(done));
    }
  }

  /** Sends a JSON-RPC request and waits for the response, result or error. */
  ask(id: string, method: string, params: unknown = {}) {
    this.send({ jsonrpc: "2.0", id, method, params });
    return this.until((message) => message.id === id);
  }

  async #read(): Promise<void> {
    for await (const message of this.channel.incoming) {
      this.messages.push(message as Record<string, unknown>);
      this.#wake();
    }
    this.#isOver = true;
    this.#wake();
  }

  #wake(): void {
    for (const one of this.#waiting) one();
    this.#waiting.clear();
  }
}

function addressOf(place: PlaceName, root: string): string {
  return place.endsWith("unix") ? `${place}://${join(root, "s")}` : `${place}://127.0.0.1:0`;
}

function ownChannel(child: ChildProcessWithoutNullStreams): Channel {
  return stdioChannel(child.stdout, child.stdin);
}

async function urlOf(child: ChildProcessWithoutNullStreams, output: () => string): Promise<string> {
  for (;;) {
    const found = /listening on (\S+)\n/.exec(output())?.[1];
    if (found !== undefined) return found;
    if (child.exitCode !== null) throw new Error(`The server did not start: ${output()}`);
    await Promise.race([once(child.stderr, "data"), once(child, "exit")]);
  }
}
