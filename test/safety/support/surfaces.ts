import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { type AppServerClient, CodexClient, connectAppServer } from "../../../src/client/index.js";
import { startInProcessAppServer } from "../../../src/server/serve.js";
import { type AppOptions, runTui } from "../../../src/tui/index.js";
import { quireCommand } from "../../support/bin.js";
import { type SafetyScene, withSystemFolder } from "./scene.js";
import type { Need } from "./tool-rows.js";

/** A door of the program. */
export interface Surface {
  name: string;
  lacks: readonly Need[];
  /** Runs one turn to its end; returns all that the client received, as text. */
  run(scene: SafetyScene): Promise<string>;
}

const clientInfo = { name: "test", version: "1.0" };
const clientTool = {
  name: "client_tool",
  description: "A tool of the client.",
  inputSchema: { type: "object", properties: { word: { type: "string" } } },
};
const mayAsk = { experimentalApi: true };

/** All doors. */
export const surfaces: readonly Surface[] = [
  {
    name: "exec --json",
    lacks: ["client tools", "questions"],
    async run(scene) {
      await using program = start(scene, ["exec", "--json", "go"]);
      return await program.ended();
    },
  },
  {
    name: "app-server v2",
    lacks: [],
    run: (scene) =>
      converse(scene, "app-server", async (client) => {
        await client.call("initialize", { clientInfo, capabilities: mayAsk });
        const started = await client.call("thread/start", { dynamicTools: [clientTool] });
        const threadId = (started as { thread: { id: string } }).thread.id;
        await client.call("turn/start", { threadId, input: [{ type: "text", text: "go" }] });
        await client.until(({ method }) => method === "turn/completed");
      }),
  },
  {
    name: "app-server v1",
    lacks: ["client tools", "questions"],
    run: (scene) =>
      converse(scene, "app-server", async (client) => {
        await client.call("initialize", { clientInfo });
        const started = await client.call("newConversation", {});
        const { conversationId } = started as { conversationId: string };
        await client.call("addConversationListener", { conversationId });
        const items = [{ type: "text", data: { text: "go" } }];
        await client.call("sendUserMessage", { conversationId, items });
        await client.until(({ method }) => method === "codex/event/task_complete");
      }),
  },
  {
    name: "proto",
    lacks: ["client tools"],
    run: (scene) =>
      converse(scene, "proto", async (client) => {
        const items = [{ type: "text", text: "go" }];
        client.send({ id: "1", op: { type: "user_input", items } });
        await client.until(({ msg }) => msg?.type === "task_complete");
      }),
  },
  {
    name: "mcp-server",
    lacks: ["client tools", "questions"],
    run: (scene) =>
      converse(scene, "mcp-server", async (client) => {
        const hello = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo };
        await client.call("initialize", hello);
        await client.call("tools/call", { name: "codex", arguments: { prompt: "go" } });
      }),
  },
  {
    name: "acp",
    lacks: ["client tools"],
    run: (scene) =>
      converse(scene, "acp", async (client) => {
        await client.call("initialize", { protocolVersion: 1, clientInfo });
        const session = { cwd: scene.workspace, mcpServers: [] };
        const { sessionId } = (await client.call("session/new", session)) as { sessionId: string };
        const prompt = [{ type: "text", text: "go" }];
        await client.call("session/prompt", { sessionId, prompt });
      }),
  },
  { name: "library", lacks: [], run: runLibrary },
  { name: "terminal UI", lacks: ["client tools"], run: runTerminal },
];

/** A message of a program. */
interface Message {
  id?: number | string;
  method?: string;
  msg?: { type: string; call_id?: string };
  result?: unknown;
  error?: { message: string };
}

/** A conversation in lines of JSON. All requests of the program are refused. */
class LineClient {
  readonly #program: Program;
  #count = 0;

  constructor(program: Program) {
    this.#program = program;
  }

  send(message: object): void {
    this.#program.child.stdin?.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  }

  async call(method: string, params: object): Promise<unknown> {
    const id = ++this.#count;
    this.send({ id, method, params });
    const reply = await this.until((one) => one.id === id && one.method === undefined);
    if (reply.error !== undefined) throw new Error(`${method}: ${reply.error.message}`);
    return reply.result;
  }

  until(fits: (message: Message) => boolean): Promise<Message> {
    return this.#program.until((message) => {
      const { id, method, msg } = message;
      if (method !== undefined && id !== undefined) this.send({ id, error: away });
      const refusal = refusals[msg?.type ?? ""];
      if (refusal !== undefined) this.send({ id: "no", op: { ...refusal, id: msg?.call_id } });
      return fits(message);
    });
  }
}

const away = { code: -32000, message: "the user is away" };

/** Ops that refuse what an event asks for. */
const refusals: Readonly<Record<string, object>> = {
  exec_approval_request: { type: "exec_approval", decision: "denied" },
  apply_patch_approval_request: { type: "patch_approval", decision: "denied" },
  request_user_input: { type: "user_input_answer", response: { answers: {} } },
  request_permissions: { type: "request_permissions_response", response: { permissions: {} } },
};

async function converse(
  scene: SafetyScene,
  command: string,
  talk: (client: LineClient) => Promise<void>,
): Promise<string> {
  await using program = start(scene, [command]);
  await talk(new LineClient(program));
  program.child.stdin?.end();
  return await program.ended();
}

interface Program extends AsyncDisposable {
  child: ChildProcess;
  /** Waits for a message; each is passed to `fits` once. */
  until(fits: (message: Message) => boolean): Promise<Message>;
  /** Waits for the end; returns all output. */
  ended(): Promise<string>;
}

function start(scene: SafetyScene, args: readonly string[]): Program {
  const [file = "", ...rest] = withSystemFolder(scene, quireCommand(args).flat());
  const { env, workspace: cwd } = scene;
  const isAsked = args[0] === "exec";
  const child = spawn(file, rest, {
    cwd,
    env,
    stdio: [isAsked ? "ignore" : "pipe", "pipe", "pipe"],
  });
  const closed = once(child, "close");
  let text = "";
  const unread: Message[] = [];
  let wake = () => {};
  if (child.stdout === null) throw new Error("no output");
  createInterface({ input: child.stdout }).on("line", (line) => {
    text += `${line}\n`;
    unread.push(JSON.parse(line));
    wake();
  });
  child.stderr?.on("data", (data) => {
    text += data;
  });
  let isOver = false;
  void closed.then(() => {
    isOver = true;
    wake();
  });
  return {
    child,
    async until(fits) {
      for (;;) {
        for (let message = unread.shift(); message !== undefined; message = unread.shift()) {
          if (fits(message)) return message;
        }
        if (isOver) throw new Error(`${args.join(" ")} ended first: ${text}`);
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
    async ended() {
      await closed;
      return text;
    },
    async [Symbol.asyncDispose]() {
      if (!isOver) child.kill("SIGKILL");
      await closed;
    },
  };
}

function connectHere({ env, workspace: cwd, systemFolder }: SafetyScene) {
  return startInProcessAppServer({
    env,
    cwd,
    era: undefined,
    ...(systemFolder && { systemFolder }),
  });
}

async function runLibrary(scene: SafetyScene): Promise<string> {
  const received: unknown[] = [];
  const client = new CodexClient(
    async (handlers, signal) =>
      connectAppServer(connectHere(scene), { clientInfo, handlers, signal }),
    {
      tools: [
        {
          spec: { type: "function", name: "client_tool", parameters: clientTool.inputSchema },
          async run() {
            received.push("made-client_tool");
            return { text: "ran", success: true };
          },
        },
      ],
    },
  );
  try {
    const { events } = await client.startThread().runStreamed("go");
    for await (const event of events) received.push(event);
  } finally {
    await client.close();
  }
  return JSON.stringify(received);
}

/** The client with a user who is away: every question is refused. */
function withoutUser(server: AppServerClient): AppServerClient {
  return new Proxy(server, {
    get(target, name) {
      if (name === "onRequest") {
        return (method: string) =>
          target.onRequest(method as never, () => Promise.reject(new Error(away.message)));
      }
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

async function runTerminal(scene: SafetyScene): Promise<string> {
  const ending = new AbortController();
  const server = await connectAppServer(connectHere(scene), {
    clientInfo,
    handlers: {},
    signal: ending.signal,
    capabilities: mayAsk,
  });
  let written = "";
  const terminal = {
    columns: 100,
    rows: 40,
    kittyProtocolActive: false,
    start: () => {},
    stop: () => {},
    drainInput: async () => {},
    write: (text: string) => {
      written += text;
    },
    hideCursor: () => {},
    showCursor: () => {},
  } as unknown as AppOptions["terminal"];
  const done = new Promise<void>((resolve) => {
    server.onNotification(({ method }) => {
      if (method === "turn/completed") resolve();
    });
  });
  const running = runTui({
    server: withoutUser(server),
    terminal,
    clock: { now: () => Date.now(), sleep: async () => {} },
    request: { cwd: scene.workspace },
    first: { kind: "new" },
    prompt: "go",
    signal: ending.signal,
    isRemote: false,
    hasPermissions: true,
    host: {
      title: "Quire",
      env: {},
      resumeCommand: (id) => `quire resume ${id}`,
      readHistory: async () => [],
      addHistory: async () => {},
      readPrompts: async () => [],
      savePrompt: async () => undefined,
      fillPrompt: async () => undefined,
    },
  });
  await Promise.race([done, running]);
  ending.abort();
  await running;
  await server.close();
  return written;
}
