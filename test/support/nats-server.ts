import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { createInterface } from "node:readline";

/** A NATS server with JetStream in a temporary folder, which tests kill and start again. */
export interface NatsServer extends AsyncDisposable {
  url: string;
  /** Folder of the server, for config and keys; `nats.log` has its messages. */
  folder: string;
  process(): ChildProcess;
  /** Ends the server as a crash does. */
  kill(): Promise<void>;
  /** Starts it again at the same port, with its store or an empty one. */
  start(options?: { emptyStore?: boolean }): Promise<void>;
}

/** Options for a server. */
export interface NatsServerOptions {
  /** Added to its config file; `FOLDER` stands for the server's folder. */
  config?: string;
  env?: Readonly<Record<string, string>>;
  /** Default: true. */
  hasJetStream?: boolean;
  /** Files for its folder, by name. */
  files?: Readonly<Record<string, string>>;
}

/** Starts a server. */
export async function startNatsServer({
  config = "",
  env = {},
  hasJetStream = true,
  files = {},
}: NatsServerOptions = {}): Promise<NatsServer> {
  const folder = mkdtempSync(join(tmpdir(), "quire-nats-"));
  const store = join(folder, "store");
  let port = -1;
  let child: ChildProcess | undefined;

  const server: NatsServer = {
    url: "",
    folder,
    process: () => child as ChildProcess,
    async kill() {
      if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
      child.kill("SIGKILL");
      await once(child, "exit");
    },
    async start({ emptyStore = false } = {}) {
      if (emptyStore) rmSync(store, { recursive: true, force: true });
      const file = join(folder, "nats.conf");
      const jetStream = hasJetStream ? `jetstream { store_dir: "${store}" }` : "";
      const text = `listen: "127.0.0.1:${port}"\n${jetStream}\n${config}\n`;
      writeFileSync(file, text.replaceAll("FOLDER", folder));
      child = spawn("nats-server", ["-c", file], {
        env: { ...withSbin(), ...env },
        stdio: ["ignore", "ignore", "pipe"],
      });
      port = await readPort(child, join(folder, "nats.log"));
      server.url = `nats://127.0.0.1:${port}`;
    },
    async [Symbol.asyncDispose]() {
      await server.kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  await server.start();
  return server;
}

/** Reads the port from the messages of the server, and waits until it is ready. All messages go to a file. */
function readPort({ stderr }: ChildProcess, log: string): Promise<number> {
  if (stderr === null) throw new Error("The server has no output");
  let port = 0;
  const last: string[] = [];
  const reader = createInterface({ input: stderr });
  return new Promise((resolve, reject) => {
    reader.on("line", (line) => {
      appendFileSync(log, `${line}\n`);
      last.splice(0, last.length - 2);
      last.push(line);
      port = Number(/client connections on [^ ]*:(\d+)/.exec(line)?.[1] ?? port);
      if (line.includes("Server is ready")) resolve(port);
    });
    reader.on("close", () => reject(new Error(`nats-server ended: ${last.join("\n")}`)));
  });
}

/** Returns true if a NATS server can be started here. Without one its tests are skipped, and fail with `CI=true`. */
export function hasNatsServer(): boolean {
  const folders = (withSbin().PATH ?? "").split(delimiter);
  const found = folders.some((folder) => existsSync(join(folder, "nats-server")));
  if (!found && process.env.CI === "true") throw new Error("nats-server is missing");
  return found;
}

/** Debian installs the server in a folder that is not in the PATH of all users. */
function withSbin(): NodeJS.ProcessEnv {
  return { ...process.env, PATH: `${process.env.PATH}${delimiter}/usr/sbin` };
}
