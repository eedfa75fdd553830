import type { AppServerClient, ServerNotification } from "../../src/client/index.js";
import { createDeferred } from "../../src/lib/async.js";
import { type AppOptions, type Reconnection, runTui } from "../../src/tui/index.js";
import { MemoryScreen } from "../support/screen.js";

/** Answers of the fake server by method; an `Error` rejects the request. */
export type Answers = Record<string, unknown | ((params: never) => unknown)>;

const thread = { id: "0199a213-81c0-7800-8aa1-bbab2a035a53", turns: [] };

/** The result of `thread/start`, `thread/resume` and `thread/fork`. */
export const opened = {
  thread,
  model: "gpt-5",
  modelProvider: "openai",
  reasoningEffort: "medium",
  cwd: "/project",
  approvalPolicy: "on-request",
  sandbox: { type: "workspaceWrite" },
};

const defaults: Answers = {
  "account/read": { account: { type: "apiKey" }, requiresOpenaiAuth: true },
  "config/read": { config: { projects: { "/project": { trust_level: "trusted" } } } },
  "thread/start": opened,
  "thread/resume": opened,
  "thread/fork": opened,
  "thread/unsubscribe": {},
  "turn/start": { turn: { id: "turn-1", status: "inProgress", items: [] } },
  "turn/steer": {},
  "turn/interrupt": {},
  "skills/list": { data: [] },
  "config/value/write": {},
  "config/batchWrite": {},
};

/** A server in memory: records requests, and sends the notifications and requests of a test. */
class FakeServer {
  readonly server = {} as AppServerClient["server"];
  readonly requests: { method: string; params: unknown }[] = [];
  readonly signal = new AbortController().signal;
  readonly answers: Answers;
  readonly #listeners = new Set<(notification: ServerNotification) => void>();
  readonly #handlers = new Map<string, (params: never, question: never) => unknown>();
  readonly #closed = createDeferred<void>();
  readonly #waiters = new Set<() => void>();

  constructor(answers: Answers) {
    this.answers = { ...defaults, ...answers };
  }

  get closed(): Promise<void> {
    return this.#closed.promise;
  }

  async request(method: string, params: unknown): Promise<unknown> {
    this.requests.push({ method, params });
    for (const check of [...this.#waiters]) check();
    const answer = this.answers[method];
    if (answer === undefined) throw new Error(`no answer to ${method}`);
    const result = typeof answer === "function" ? await answer(params) : answer;
    if (result instanceof Error) throw result;
    return result;
  }

  /** Resolves with the params of the requests of one method, once there are `count` of them. */
  untilSent(method: string, count = 1): Promise<unknown[]> {
    return new Promise((resolve) => {
      const check = () => {
        const params = this.sent(method);
        if (params.length < count) return;
        this.#waiters.delete(check);
        resolve(params);
      };
      this.#waiters.add(check);
      check();
    });
  }

  /** The params of the requests of one method. */
  sent(method: string): unknown[] {
    return this.requests.filter((each) => each.method === method).map(({ params }) => params);
  }

  onNotification(listener: (notification: ServerNotification) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  notify(method: string, params: object, seq?: number): void {
    const full = { threadId: thread.id, ...params };
    const notification = { method, params: full, ...(seq === undefined ? {} : { seq }) };
    for (const listener of [...this.#listeners]) listener(notification as ServerNotification);
  }

  onRequest(method: string, handler: (params: never, question: never) => unknown): () => void {
    this.#handlers.set(method, handler);
    return () => this.#handlers.delete(method);
  }

  /** Sends a request to the client; resolves with its response. */
  async ask(method: string, params: object, signal = this.signal): Promise<unknown> {
    const question = { id: 1, signal };
    return this.#handlers.get(method)?.(params as never, question as never);
  }

  async close(): Promise<void> {
    this.#closed.resolve();
  }
}

const sequences: Readonly<Record<string, string>> = {
  enter: "\r",
  escape: "\x1b",
  tab: "\t",
  up: "\x1b[A",
  down: "\x1b[B",
  end: "\x1b[F",
  backspace: "\x7f",
  "shift+tab": "\x1b[Z",
  "alt+up": "\x1b[1;3A",
};

/** Options for {@link startApp}. */
export interface TestAppOptions extends Partial<Omit<AppOptions, "server" | "terminal" | "host">> {
  answers?: Answers;
  host?: Partial<AppOptions["host"]>;
  rows?: number;
  columns?: number;
}

/** The terminal UI on a terminal in memory, with a fake server. Wait for texts, never for a time. */
export function startApp(options: TestAppOptions = {}) {
  const { answers = {}, host = {}, rows = 40, columns = 100, ...app } = options;
  const server = new FakeServer(answers);
  const screen = new MemoryScreen(columns, rows);
  const ending = new AbortController();
  const written: string[] = [];
  const history: string[] = [];
  const waiters = new Set<() => void>();
  let input: (data: string) => void = () => {};
  const terminal = {
    columns,
    rows,
    kittyProtocolActive: false,
    start: (onInput: (data: string) => void) => {
      input = onInput;
    },
    stop: () => {},
    drainInput: async () => {},
    write(text: string) {
      written.push(text);
      screen.write(text);
      for (const check of [...waiters]) check();
    },
    hideCursor: () => {},
    showCursor: () => {},
  } as unknown as AppOptions["terminal"];

  const all = () => [...screen.scrollback, ...screen.lines()].join("\n");
  const waitFor = (isThere: () => boolean, what: unknown) =>
    new Promise<string>((resolve, reject) => {
      const late = setTimeout(() => {
        waiters.delete(check);
        reject(new Error(`No ${what} on the screen:\n${all()}`));
      }, 20_000);
      const check = () => {
        if (!isThere()) return;
        waiters.delete(check);
        clearTimeout(late);
        resolve(all());
      };
      waiters.add(check);
      check();
    });
  const fits = (text: string, pattern: string | RegExp) =>
    typeof pattern === "string" ? text.includes(pattern) : pattern.test(text);

  const code = runTui({
    server: server as unknown as AppServerClient,
    terminal,
    clock: { now: () => Date.now(), sleep: async () => {} },
    request: { cwd: "/project" },
    first: { kind: "new" },
    signal: ending.signal,
    isRemote: false,
    hasPermissions: false,
    ...app,
    host: {
      title: "Quire",
      env: {},
      resumeCommand: (id) => `quire resume ${id}`,
      readHistory: async () => [...history],
      addHistory: async (text) => void history.push(text),
      readPrompts: async () => [],
      savePrompt: async () => undefined,
      fillPrompt: async () => undefined,
      ...host,
    },
  });
  return {
    server,
    code,
    history,
    abort: () => ending.abort(),
    /** All output, including sequences. */
    output: () => written.join(""),
    screen: () => screen.lines(),
    /** Resolves with the scrollback and the screen once they show a text. */
    until: (pattern: string | RegExp) => waitFor(() => fits(all(), pattern), pattern),
    /** The same for a text that must be gone from the screen. */
    untilGone: (text: string) => waitFor(() => !screen.lines().join("\n").includes(text), text),
    type(text: string) {
      for (const character of text) input(character);
    },
    /** Presses keys by name: `enter`, `ctrl+c`; sends anything else as it is. */
    keys(...names: string[]) {
      for (const name of names) {
        const letter = /^ctrl\+([a-z])$/.exec(name)?.[1];
        input(
          letter === undefined
            ? (sequences[name] ?? name)
            : String.fromCharCode(letter.charCodeAt(0) - 96),
        );
      }
    },
    async [Symbol.asyncDispose]() {
      ending.abort();
      await code;
    },
  };
}

/** A started app, ready for input. */
export async function readyApp(options: TestAppOptions = {}) {
  const app = startApp(options);
  await app.until("Describe a task");
  return app;
}

/** Starts a turn as the server reports it. */
export function startTurn(app: { server: FakeServer }, id = "turn-1"): void {
  app.server.notify("turn/started", { turn: { id, status: "inProgress", items: [] } });
}

/** Completes the turn with an optional message of the agent. */
export function endTurn(app: { server: FakeServer }, text?: string, status = "completed"): void {
  if (text !== undefined) {
    app.server.notify("item/completed", { item: { type: "agentMessage", id: text, text } });
  }
  app.server.notify("turn/completed", { turn: { id: "turn-1", status, items: [] } });
}

/** A connection whose loss and return a test reports. */
export function testReconnection(): Reconnection {
  return { onLost: () => {}, onRestored: () => {} };
}
