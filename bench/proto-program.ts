import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { scriptedConfig } from "../src/model/scripted/index.js";
import { neutralEnv } from "./measure.js";

/** Makes a home and a workspace for `quire proto`, and returns the folder they are in. */
export function prepareRoot(folder: string, baseUrl: string): string {
  const root = mkdtempSync(join(folder, "proto-"));
  mkdirSync(join(root, "home"));
  mkdirSync(join(root, "workspace"));
  writeFileSync(join(root, "home", "config.toml"), scriptedConfig({ baseUrl }));
  return root;
}

/** `quire proto` under measurement; it reads nothing of an event but its type. */
export class ProtoProgram {
  readonly #child: ChildProcessWithoutNullStreams;
  #rest = "";
  #waiting: { mark: string; resolve: (line: string) => void } | undefined;

  constructor(root: string, nodeArgs: readonly string[] = []) {
    this.#child = spawn(process.execPath, [...nodeArgs, resolve("bin/quire.js"), "proto"], {
      cwd: join(root, "workspace"),
      env: neutralEnv({ HOME: root, CODEX_HOME: join(root, "home") }),
    });
    this.#child.stdout.on("data", (data: Buffer) => this.#read(data.toString("latin1")));
  }

  /** Starts it and waits until it has a session. */
  static async start(
    folder: string,
    baseUrl: string,
    nodeArgs: readonly string[] = [],
  ): Promise<ProtoProgram> {
    const program = new ProtoProgram(prepareRoot(folder, baseUrl), nodeArgs);
    await program.until("session_configured");
    return program;
  }

  /** The same, so that it can be asked for `heldMb`. */
  static startCollecting(folder: string, baseUrl: string): Promise<ProtoProgram> {
    const preload = resolve("bench/programs/collect-on-signal.cjs");
    return ProtoProgram.start(folder, baseUrl, ["--expose-gc", "--require", preload]);
  }

  /** Heap and buffers in use after a collection, in MB. */
  async heldMb(): Promise<number> {
    const output = once(this.#child.stderr, "data");
    this.#child.kill("SIGUSR2");
    const [bytes] = await output;
    return Number(bytes) / 1024 / 1024;
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  send(message: unknown): void {
    this.#child.stdin.write(`${JSON.stringify(message)}\n`);
  }

  /** The line of the next event of a type. */
  until(type: string): Promise<string> {
    return new Promise((resolve) => {
      this.#waiting = { mark: `"msg":{"type":"${type}"`, resolve };
    });
  }

  /** Submits a user message and returns the id of the response that ended the turn. */
  async turn(text: string, fromResponse?: string): Promise<string> {
    const done = this.until("task_complete");
    const items = [{ type: "text", text }];
    const op =
      fromResponse === undefined
        ? { type: "user_input", items }
        : { type: "user_turn", items, last_response_id: fromResponse };
    this.send({ id: "t", op });
    const { msg } = JSON.parse(await done) as { msg: { response_id?: string } };
    if (msg.response_id === undefined) throw new Error("A turn ended without a response");
    return msg.response_id;
  }

  async end(): Promise<void> {
    this.#child.stdin.end();
    if (this.#child.exitCode === null) await once(this.#child, "exit");
  }

  #read(text: string): void {
    this.#rest += text;
    const lines = this.#rest.split("\n");
    this.#rest = lines.pop() ?? "";
    for (const line of lines) {
      const waiting = this.#waiting;
      if (waiting === undefined || !line.includes(waiting.mark)) continue;
      this.#waiting = undefined;
      waiting.resolve(line);
    }
  }
}
