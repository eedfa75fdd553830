import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLocalParts } from "../../../src/engine/index.js";
import { createGateway } from "../../../src/fleet/gateway/index.js";
import { type MemoryBroker, MemoryStore } from "../../../src/fleet/memory/index.js";
import { FleetWorker, type WorkerOptions, Workspaces } from "../../../src/fleet/worker/index.js";
import type { RpcRequest } from "../../../src/jsonrpc/index.js";
import { type Script, scriptedClient } from "../../../src/model/scripted/index.js";
import { serveAppServer } from "../../../src/server/app-server.js";
import type { Server } from "../../../src/server/server.js";
import { type Channel, connect, listen } from "../../../src/transport/index.js";
import { ChannelClient } from "../../support/server.js";
import { testConfig } from "../../support/test-config.js";

/** A client at a gateway; requests of the server wait in `questions`. */
export interface FleetClient extends ChannelClient {
  questions: Question[];
  question(): Promise<Question>;
}

/** A request of the server, to be answered by the test. */
export interface Question {
  request: RpcRequest;
  answer(result: unknown): void;
}

export interface TestGateway {
  /** Connects by WebSocket and initializes. */
  connect(capabilities?: object): Promise<FleetClient>;
  broker: MemoryBroker;
  /** Serves clients in another way, or on another transport; returns the client's end of a connection. */
  open(serve: (channel: Channel, server: Server) => Promise<void>, url?: string): Promise<Channel>;
  /** Ends without a word to its clients. */
  kill(): Promise<void>;
}

export interface TestFleet extends AsyncDisposable {
  workspace: string;
  store: MemoryStore;
  gateways: [TestGateway, TestGateway];
  addGateway(): Promise<TestGateway>;
  /** Starts a worker; returns a function that ends it as a kill does. */
  addWorker(): Promise<() => Promise<void>>;
  /** Kills the first worker. */
  killWorker(): Promise<void>;
}

/** Starts a worker and two gateways with a broker in this process. */
export async function startFleet({
  model,
  startMs,
  worker = true,
  retention = {},
}: {
  model: Script;
  startMs?: number;
  worker?: boolean;
  retention?: NonNullable<WorkerOptions["retention"]>;
}): Promise<TestFleet> {
  const root = await mkdtemp(join(tmpdir(), "quire-fleet-"));
  const [home, workspace] = [join(root, "home"), join(root, "workspace")];
  await Promise.all([mkdir(home), mkdir(workspace)]);
  const env = { PATH: process.env.PATH, HOME: root, CODEX_HOME: home };
  const store = new MemoryStore();
  const local = createLocalParts({ env, cwd: workspace, surface: "json-rpc" });
  const script = scriptedClient(model);
  const parts = {
    ...local,
    loadConfig: (op: Parameters<typeof local.loadConfig>[0]) =>
      local.loadConfig({ ...op, config: { ...testConfig, ...op.config } }),
    createModel: async () => script,
  };
  const workers: (() => Promise<void>)[] = [];
  const addWorker = async () => {
    const broker = store.connect();
    const name = `w${workers.length + 1}`;
    const started = new FleetWorker({
      broker,
      worker: name,
      pool: "main",
      parts,
      workspaces: new Workspaces(workspace),
      home: join(home, "fleet", name),
      leaseMs: 800,
      idleMs: 100,
      maxThreads: 10,
      sweepMs: 50,
      retention,
      report() {},
    });
    await started.start();
    let isOver = false;
    const kill = async () => {
      if (isOver) return;
      isOver = true;
      await broker.close();
      await started.abandon();
    };
    workers.push(kill);
    return kill;
  };
  if (worker) await addWorker();
  const ended: (() => Promise<void>)[] = [];
  const addGateway = async (): Promise<TestGateway> => {
    const broker = store.connect();
    const host = await createGateway({
      broker,
      pool: "main",
      env,
      ...(startMs === undefined ? {} : { startMs }),
    });
    const listener = await listen("ws://127.0.0.1:0", {
      onConnection: (channel) => void serveAppServer(channel, host.server).catch(() => {}),
    });
    const clients: ChannelClient[] = [];
    let isOver = false;
    const kill = async () => {
      if (isOver) return;
      isOver = true;
      broker.cut();
      for (const { peer } of clients) void peer.close();
      await listener.close();
      await host.server.close();
      await host.close();
    };
    ended.push(kill);
    return {
      broker,
      kill,
      async open(serve, url = "ws://127.0.0.1:0") {
        const onConnection = (channel: Channel) => void serve(channel, host.server).catch(() => {});
        const opened = await listen(url, { onConnection });
        ended.push(() => opened.close());
        return connect(opened.url);
      },
      async connect(capabilities = {}) {
        const client = questioning(await connect(listener.url));
        clients.push(client);
        const info = { name: "test", version: "1" };
        await client.call("initialize", {
          clientInfo: info,
          capabilities: { experimentalApi: true, sequenceNumbers: true, ...capabilities },
        });
        return client;
      },
    };
  };
  const gateways: TestFleet["gateways"] = [await addGateway(), await addGateway()];
  return {
    workspace,
    store,
    gateways,
    addGateway,
    addWorker,
    killWorker: async () => workers[0]?.(),
    async [Symbol.asyncDispose]() {
      for (const end of ended) await end();
      for (const kill of workers) await kill();
      await local.close();
      await rm(root, { recursive: true, force: true });
    },
  };
}

function questioning(channel: Awaited<ReturnType<typeof connect>>): FleetClient {
  const questions: Question[] = [];
  let wake = () => {};
  const client = new ChannelClient(
    channel,
    (request) =>
      new Promise((resolve) => {
        questions.push({ request, answer: resolve });
        wake();
      }),
    false,
  );
  let taken = 0;
  return Object.assign(client, {
    questions,
    async question() {
      while (questions.length <= taken) await new Promise<void>((resolve) => (wake = resolve));
      return questions[taken++] as Question;
    },
  });
}

const text = (words: string) => [{ type: "text", text: words }];

interface Started {
  thread: { id: string };
}

export async function startThread(client: FleetClient, fleet: TestFleet, params: object = {}) {
  const result = await client.call("thread/start", { cwd: fleet.workspace, ...params });
  return (result as Started).thread.id;
}

export async function startTurn(
  client: FleetClient,
  threadId: string,
  words: string,
  more: object = {},
) {
  const result = await client.call("turn/start", { threadId, input: text(words), ...more });
  return (result as { turn: { id: string } }).turn.id;
}

/** Subscribes to a thread from a number on. */
export function resume(client: FleetClient, threadId: string, after?: number) {
  return client.call("thread/resume", { threadId, excludeTurns: true, after });
}
