import type {
  AgentConnection,
  InitializeRequest,
  InitializeResponse,
  ListSessionsRequest,
  ListSessionsResponse,
  LoadSessionRequest,
  McpServer,
  NewSessionRequest,
  NewSessionResponse,
} from "@agentclientprotocol/sdk";
import { PROTOCOL_VERSION, RequestError } from "@agentclientprotocol/sdk";
import type { Environment } from "../../config/index.js";
import { spellHidden } from "../../lib/hidden-characters.js";
import type { Model } from "../../protocol/rpc/v2/model.js";
import type {
  ThreadResumeResponse,
  ThreadStartResponse,
} from "../../protocol/rpc/v2/thread-start.js";
import { ownName } from "../methods/initialize.js";
import type { AppNotification, AppServer, ClientIdentity } from "./app-server.js";
import { authMethods, requireLogin } from "./authentication.js";
import { Editor } from "./editor.js";
import { unknownSession } from "./errors.js";
import { requireFolders } from "./folders.js";
import { toServerSettings } from "./mcp-servers.js";
import { Modes } from "./modes.js";
import { answerRequests } from "./requests.js";
import { AcpSession } from "./session.js";
import { openedSettings } from "./settings.js";
import { editorTerminals } from "./terminals.js";

/** Surroundings of the agent. */
export interface AgentParts {
  env: Environment;
  home: string;
  /** True if the threads run on other machines, with other folders. */
  isRemote: boolean;
  connect(client: ClientIdentity): Promise<AppServer>;
}

/** Handles the requests of one editor. */
export class AcpAgent {
  readonly #parts: AgentParts;
  readonly #sessions = new Map<string, AcpSession>();
  /** Threads of helper agents and the threads that started them. */
  readonly #parents = new Map<string, string>();
  readonly #editor: Editor;
  #appServer: AppServer | undefined;
  #models: Promise<readonly Model[]> | undefined;
  /** Number of sessions that are being opened, and the notifications of threads without a session. */
  #opening = 0;
  #early: { threadId: string; notification: AppNotification }[] = [];

  constructor(connection: AgentConnection, parts: AgentParts) {
    this.#parts = parts;
    this.#editor = new Editor(connection.client);
  }

  get editor(): Editor {
    return this.#editor;
  }

  /** The app-server; throws before `initialize`. */
  get appServer(): AppServer {
    if (this.#appServer === undefined) {
      throw new RequestError(-32600, "Not initialized: send initialize first.");
    }
    return this.#appServer;
  }

  async initialize({
    clientInfo,
    clientCapabilities = {},
  }: InitializeRequest): Promise<InitializeResponse> {
    if (this.#appServer !== undefined) throw new RequestError(-32600, "Already initialized.");
    this.#editor.capabilities = clientCapabilities;
    const { name = "acp", title = null, version = "unknown" } = clientInfo ?? {};
    this.#appServer = await this.#parts.connect({ name, title, version });
    this.#listen(this.#appServer);
    return {
      protocolVersion: PROTOCOL_VERSION,
      agentInfo: { ...ownName, title: "Quire" },
      agentCapabilities: {
        loadSession: true,
        promptCapabilities: { image: true, audio: false, embeddedContext: true },
        mcpCapabilities: { http: true, sse: false },
        sessionCapabilities: {
          list: {},
          resume: {},
          close: {},
          delete: {},
          additionalDirectories: {},
          ...{ fork: {} }, // not in the stable schema yet
        },
        auth: { logout: {} },
      },
      authMethods: authMethods(clientCapabilities),
    };
  }

  /** Returns an open session; throws if there is none. */
  session(sessionId: string): AcpSession {
    const session = this.#sessions.get(sessionId);
    if (session === undefined) throw unknownSession(sessionId);
    return session;
  }

  /** Sends the slash commands of a session, unless it was closed. */
  sendCommands(sessionId: string): void {
    void this.#sessions
      .get(sessionId)
      ?.sendCommands()
      .catch(() => undefined);
  }

  async newSession(request: NewSessionRequest): Promise<NewSessionResponse> {
    return this.#open(request, (params) => this.appServer.request("thread/start", params));
  }

  /** Opens a recorded thread; with `replays`, sends its history before it resolves. */
  async loadSession(
    { sessionId, ...request }: Omit<LoadSessionRequest, "mcpServers"> & SessionRequest,
    { replays }: { replays: boolean },
  ): Promise<NewSessionResponse> {
    const response = await this.#open(request, (params) =>
      this.appServer.request("thread/resume", { ...params, ...recorded(sessionId) }),
    );
    if (replays) await this.session(response.sessionId).replay();
    return response;
  }

  async forkSession({ sessionId, ...request }: SessionRequest & { sessionId: string }) {
    return this.#open(request, (params) =>
      this.appServer.request("thread/fork", { ...params, ...recorded(sessionId) }),
    );
  }

  async listSessions({ cwd, cursor }: ListSessionsRequest): Promise<ListSessionsResponse> {
    const { data, nextCursor } = await this.appServer.request("thread/list", {
      sourceKinds: ["cli", "vscode", "exec", "appServer", "unknown"],
      modelProviders: [], // those of all providers
      sortKey: "updated_at",
      limit: sessionsOfPage,
      ...(cwd == null ? {} : { cwd }),
      ...(cursor == null ? {} : { cursor }),
    });
    return {
      sessions: data.map(({ id, cwd: place, name, preview, updatedAt }) => ({
        sessionId: id,
        cwd: place,
        title: titleOf(name ?? preview),
        updatedAt: new Date(updatedAt * 1000).toISOString(),
      })),
      ...(nextCursor === null ? {} : { nextCursor }),
    };
  }

  async closeSession(sessionId: string): Promise<void> {
    const session = this.session(sessionId);
    await session.cancel();
    this.#forget(sessionId);
    await this.appServer.request("thread/unsubscribe", { threadId: sessionId });
  }

  async deleteSession(sessionId: string): Promise<void> {
    await this.#sessions.get(sessionId)?.cancel();
    await this.appServer.request("thread/delete", { threadId: sessionId });
    this.#forget(sessionId);
  }

  /** Returns the files that the editor has open in the session of a thread. */
  buffersOf(threadId: string): ReturnType<Editor["buffers"]> {
    const session = this.#findRoot(threadId);
    return session && this.#editor.buffers(session.id);
  }

  /** Returns the terminals of the editor for the commands of a session; helper agents use their own. */
  terminalsOf(threadId: string): ReturnType<typeof editorTerminals> {
    const session = this.#sessions.get(threadId);
    return (
      session &&
      editorTerminals({
        id: session.id,
        editor: this.#editor,
        env: this.#parts.env,
        show: (callId, terminalId) => session.updates.showTerminal(callId, terminalId),
      })
    );
  }

  /** Ends the sessions and the app-server. */
  async close(): Promise<void> {
    for (const id of [...this.#sessions.keys()]) this.#forget(id);
    await this.#appServer?.close();
  }

  #forget(sessionId: string): void {
    this.#sessions.get(sessionId)?.close();
    this.#sessions.delete(sessionId);
  }

  async #toParams({
    cwd,
    mcpServers = [],
    additionalDirectories = [],
  }: SessionRequest): Promise<ThreadParams> {
    const isLocal = !this.#parts.isRemote;
    await requireFolders({ cwd: [cwd], additionalDirectories }, { isLocal });
    const config = toServerSettings(mcpServers);
    await requireLogin(this.appServer);
    return { cwd, ...(Object.keys(config).length === 0 ? {} : { config }) };
  }

  /** Opens a thread as a session. What the thread reports before the session exists is not lost. */
  async #open(
    request: SessionRequest,
    openThread: (params: ThreadParams) => Promise<ThreadStartResponse | ThreadResumeResponse>,
  ): Promise<NewSessionResponse> {
    const { appServer } = this;
    const params = await this.#toParams(request);
    const { requirements } = await appServer.request("configRequirements/read", {});
    const models = await this.#readModels();
    this.#opening++;
    try {
      const opened = await openThread(params);
      const { id } = opened.thread;
      const settings = openedSettings(opened, request.additionalDirectories ?? []);
      this.#forget(id);
      const session = new AcpSession({
        id,
        cwd: opened.cwd,
        home: this.#parts.home,
        appServer,
        editor: this.#editor,
        settings,
        modes: new Modes(settings, requirements),
        models,
      });
      this.#sessions.set(id, session);
      for (const { threadId, notification } of this.#early.splice(0)) {
        this.#sessions.get(threadId)?.receive(notification);
      }
      await session.addDirectories();
      return { sessionId: id, modes: session.modes, configOptions: session.configOptions };
    } finally {
      this.#opening--;
      if (this.#opening === 0) this.#early = [];
    }
  }

  #readModels(): Promise<readonly Model[]> {
    this.#models ??= this.appServer.request("model/list", {}).then(({ data }) => data);
    return this.#models;
  }

  #listen(appServer: AppServer): void {
    appServer.onNotification((notification) => this.#receive(notification));
    answerRequests(appServer, (threadId) => this.#rootOf(threadId));
  }

  #receive(notification: AppNotification): void {
    const { method, params } = notification;
    if (method === "thread/started" && params.thread.parentThreadId !== null) {
      this.#parents.set(params.thread.id, params.thread.parentThreadId);
    }
    if (method === "skills/changed") {
      for (const id of this.#sessions.keys()) this.sendCommands(id);
    }
    const threadId = "threadId" in params ? params.threadId : undefined;
    if (typeof threadId !== "string") return;
    const session = this.#sessions.get(threadId);
    if (session !== undefined) session.receive(notification);
    else if (this.#opening > 0) this.#early.push({ threadId, notification });
    if (method === "thread/closed") this.#forget(threadId);
  }

  /** Returns the session for which a thread works: its own, or that of the root of a helper agent. */
  #rootOf(threadId: string): AcpSession {
    const session = this.#findRoot(threadId);
    if (session === undefined) throw unknownSession(threadId);
    return session;
  }

  #findRoot(threadId: string): AcpSession | undefined {
    let id: string | undefined = threadId;
    for (; id !== undefined; id = this.#parents.get(id)) {
      const session = this.#sessions.get(id);
      if (session !== undefined) return session;
    }
    return undefined;
  }
}

/** Common fields of the requests that open a session. */
interface SessionRequest {
  cwd: string;
  mcpServers?: McpServer[];
  additionalDirectories?: string[];
}

/** Params of the methods that open a thread. */
interface ThreadParams {
  cwd: string;
  config?: Record<string, unknown>;
}

function recorded(threadId: string) {
  return { threadId, excludeTurns: true };
}

const sessionsOfPage = 50;

function titleOf(text: string): string {
  const [line = ""] = spellHidden(text).trim().split("\n");
  return line.length > 80 ? `${line.slice(0, 79)}…` : line;
}
