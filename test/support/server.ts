import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { EraName } from "../../src/compat/index.js";
import { createLocalParts, type LocalOptions, type LocalParts } from "../../src/engine/index.js";
import {
  createPeer,
  type Notification,
  type Peer,
  type RpcRequest,
} from "../../src/jsonrpc/index.js";
import { type Script, scriptedClient } from "../../src/model/scripted/index.js";
import type { Prompt } from "../../src/model/types.js";
import type { Host } from "../../src/server/host.js";
import { Server } from "../../src/server/server.js";
import { type Channel, linkedChannels } from "../../src/transport/index.js";
import { testConfig } from "./test-config.js";

/** Options of a test; everything else is real, in a temporary folder. */
export interface TestServerOptions {
  /** Serves each connection. */
  serve: (channel: Channel, server: Server) => Promise<void>;
  /** Responses of the model, one per request. */
  model?: Script;
  era?: EraName;
  /** Settings by their name in config.toml. */
  config?: Record<string, unknown>;
  writesVersion?: boolean;
  /** Text of the administrator's requirements.toml. */
  requirements?: string;
  /** Additional environment variables. */
  env?: Record<string, string>;
  /** The editor that has files open. */
  buffers?: LocalOptions["buffers"];
  /** The editor that runs commands. */
  terminals?: LocalOptions["terminals"];
}

/** A server under test; clients connect in this process. */
export interface TestServer extends AsyncDisposable {
  home: string;
  workspace: string;
  parts: Host;
  server: Server;
  /** Requests to the model, in order. */
  prompts: Prompt[];
  /** Advances the server's clock. */
  tick(ms: number): void;
  /** Connects a new client; `answer` answers the requests of the server. */
  connect(answer?: (request: RpcRequest) => unknown): TestClient;
}

/** A client and the messages it received. */
export interface TestClient {
  peer: Peer;
  heard: Notification[];
  /** Sequence numbers of the notifications that have one. */
  seqs: number[];
  call(method: string, params?: unknown): Promise<unknown>;
  /** Waits for the next notification of a method that no earlier call has returned. */
  until(method: string): Promise<Notification>;
  close(): Promise<void>;
}

/** Writes requirements.toml to a private system folder; returns the folder. */
export async function writeRequirements(root: string, text: string | undefined): Promise<string> {
  const folder = join(root, "etc");
  if (text === undefined) return folder;
  await mkdir(folder);
  await writeFile(join(folder, "requirements.toml"), text);
  return folder;
}

/** Starts a server on a scripted model; dispose it with `await using`. */
export async function startTestServer(options: TestServerOptions): Promise<TestServer> {
  const root = await mkdtemp(join(tmpdir(), "quire-server-"));
  const [home, workspace] = [join(root, "home"), join(root, "workspace")];
  await Promise.all([mkdir(home), mkdir(workspace)]);
  const systemFolder = await writeRequirements(root, options.requirements);
  const env = { PATH: process.env.PATH, HOME: root, CODEX_HOME: home, ...options.env };
  const local = createLocalParts({
    env,
    cwd: workspace,
    era: options.era,
    surface: "json-rpc",
    systemFolder,
    buffers: options.buffers,
    terminals: options.terminals,
  });
  const script = scriptedClient(options.model ?? []);
  const prompts: Prompt[] = [];
  let passedMs = 0;
  const parts: LocalParts = {
    ...local,
    clock: { ...local.clock, now: () => local.clock.now() + passedMs },
    loadConfig: (op) =>
      local.loadConfig({ ...op, config: { ...testConfig, ...options.config, ...op.config } }),
    createModel: async () => ({
      ...script,
      stream(prompt, signal) {
        prompts.push({ ...prompt, input: [...prompt.input] });
        return script.stream(prompt, signal);
      },
      close: () => script.close(),
    }),
  };
  const server = new Server(parts);
  const clients: TestClient[] = [];
  return {
    home,
    workspace,
    parts: server.parts,
    server,
    prompts,
    tick(ms) {
      passedMs += ms;
    },
    connect(answer = () => undefined) {
      const [own, theirs] = linkedChannels();
      void options.serve(theirs, server);
      const client = new ChannelClient(own, answer, options.writesVersion ?? false);
      clients.push(client);
      return client;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(clients.map((client) => client.close()));
      await server.close();
      await parts.close();
      await rm(root, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** A client on a channel. */
export class ChannelClient implements TestClient {
  readonly peer: Peer;
  readonly heard: Notification[] = [];
  readonly seqs: number[] = [];
  /** Notifications with a number, and their numbers. */
  readonly numbered: (Notification & { seq: number })[] = [];
  #returned = new Set<Notification>();
  #waiting = new Set<() => void>();

  constructor(channel: Channel, answer: (request: RpcRequest) => unknown, writesVersion: boolean) {
    this.peer = createPeer(channel, {
      writesVersion,
      onRequest: answer,
      onNotification: (notification, { seq }) => {
        this.heard.push(notification);
        if (typeof seq === "number") {
          this.seqs.push(seq);
          this.numbered.push({ ...notification, seq });
        }
        for (const wake of this.#waiting) wake();
      },
    });
  }

  call(method: string, params?: unknown): Promise<unknown> {
    return this.peer.request(method, params);
  }

  async until(method: string): Promise<Notification> {
    for (;;) {
      const found = this.heard.find((one) => one.method === method && !this.#returned.has(one));
      if (found !== undefined) {
        this.#returned.add(found);
        return found;
      }
      await new Promise<void>((resolve) => {
        const wake = () => {
          this.#waiting.delete(wake);
          resolve();
        };
        this.#waiting.add(wake);
      });
    }
  }

  close(): Promise<void> {
    return this.peer.close();
  }
}
