import { type Config, codexHome } from "../config/index.js";
import type { LocalParts } from "../engine/index.js";
import type { Peer, RpcRequest } from "../jsonrpc/index.js";
import { RpcError, rpcCodes, SharedNotification } from "../jsonrpc/index.js";
import { lazy } from "../lib/async.js";
import { CodexError } from "../protocol/error.js";
import type { V1Notifications } from "../protocol/rpc/v1/methods.generated.js";
import type { InitializeCapabilities } from "../protocol/rpc/v2/initialize.js";
import type { V2Notifications } from "../protocol/rpc/v2/methods.generated.js";
import type { ThreadReadState } from "../protocol/rpc/v2/read-state.js";
import type { ThreadStatus } from "../protocol/rpc/v2/status.js";
import { type ListOptions, ThreadIndex, type ThreadPage } from "../rollout/index.js";
import { Logins } from "./account/logins.js";
import { ThreadFeeds } from "./feed/feed.js";
import { EventNotifications } from "./feed/legacy.js";
import { History } from "./history/history.js";
import { createHost, type Host } from "./host.js";
import { IgnoredSettings } from "./ignored-settings.js";
import { OrganizationStore } from "./organization/store.js";
import { SkillLists, ThreadSkills } from "./skills/lists.js";
import { SkillWatch } from "./skills/watch.js";
import { ReadStates } from "./thread/read-states.js";
import { type FollowedAgent, type RemoteThreads, Threads } from "./thread/registry.js";
import type { Thread } from "./thread/thread.js";
import { Unloader } from "./thread/unload.js";

/** A client that receives notifications of v2. */
export interface Client {
  readonly peer: Peer;
  readonly capabilities: InitializeCapabilities;
  /** Returns true if the client has initialized and did not opt out of a notification. */
  wants(method: keyof V2Notifications): boolean;
  /** Returns true if the client is subscribed to a thread. */
  isSubscribed(threadId: string): boolean;
  /** Subscribes the client to the notifications of a thread. */
  subscribe(thread: Thread): void;
  notify<Method extends keyof V2Notifications>(
    method: Method,
    params: V2Notifications[Method],
  ): void;
}

/** Throws if the server disconnected a client, so that the reason is logged. */
export function assertNotDisconnected({ signal }: Peer): void {
  const reason: unknown = signal.reason;
  if (reason instanceof RpcError && reason.code === rpcCodes.overloaded) throw reason;
}

/** The threads of a server that runs none itself. They are the same at all such servers. */
export interface Fleet extends RemoteThreads {
  /** Makes ready what a request needs; throws if the method is not available. */
  prepare(
    request: Pick<RpcRequest, "method" | "params">,
    server: Server,
  ): Promise<void> | undefined;
  /** Lists the threads; their status is part of the summary. */
  list(options: ListOptions): Promise<ThreadPage>;
  /** Moves a thread out of the list for the clients of all servers; its turn is interrupted. */
  archive(threadId: string): Promise<void>;
  /** Brings it back, and loads it. */
  unarchive(threadId: string): Promise<Thread>;
  /** Deletes a thread for the clients of all servers. */
  remove(threadId: string): Promise<void>;
}

/** Handles a request once the thread that it is about is loaded, if threads run in other processes. */
export function whenReady(request: RpcRequest, server: Server, handler: () => unknown): unknown {
  const ready = server.fleet?.prepare(request, server);
  return ready === undefined ? handler() : ready.then(handler);
}

/** State that all connections of a JSON-RPC server share. */
export class Server {
  /** The parts that its engines are made of. */
  readonly parts: Host;
  /** The loaded threads. */
  readonly threads: Threads;
  /** Notifications to all clients. */
  readonly notifications: EventNotifications;
  /** v2 notifications of the live threads. */
  readonly feeds: ThreadFeeds;
  /** Reader of recorded turns. */
  readonly history = new History();
  /** Read states of the threads. */
  readonly readStates: ReadStates;
  /** Cache for lists of threads. */
  readonly threadIndex = lazy(() => new ThreadIndex(this.home));
  /** Sections, projects, attachments and edited metadata of the threads. */
  readonly organization = lazy(() => new OrganizationStore(this.home));
  /** Unloads idle threads without subscribers. */
  readonly unloader: Unloader;
  /** Settings that have no effect, reported once. */
  readonly ignoredSettings: IgnoredSettings;
  /** Loads the settings of a thread; an error says that they are the reason. */
  readonly loadConfig: Host["loadConfig"];
  /** Sign-ins that are in progress. */
  readonly logins: Logins;
  /** Lists of skills by folder. */
  readonly skills: SkillLists;
  /** Reports changes of skills to clients. */
  readonly skillWatch: SkillWatch;
  /** Set if the threads run in other processes. */
  readonly fleet: Fleet | undefined;
  readonly #peers = new Set<Peer>();
  readonly #clients = new Set<Client>();
  readonly #shared = new Map<(server: Server) => unknown, unknown>();

  /** True if the client is a part of this program: it uses methods that the era does not have. */
  hasAllMethods = false;

  /** `onThread` is called with the number of live threads when one is started or loaded. */
  constructor(local: LocalParts, onThread?: (live: number) => void, fleet?: Fleet) {
    const parts = createHost(local);
    this.parts = parts;
    this.fleet = fleet;
    this.readStates = new ReadStates({
      home: this.home,
      newId: parts.newId,
      onChange: (threadId, readState) => this.#notifyRead(threadId, readState),
    });
    const onAnswer = (thread: Thread, turnId: string) => {
      // Threads of v1, of embedding programs and of helper agents have no read state.
      if (thread.agent !== undefined) return;
      // Another turn for the goal follows; only the last one is reported as unread.
      if (thread.state.work.goal?.status === "active") return;
      const isOfV2 = parts.program === undefined && this.feeds.find(thread.id) !== undefined;
      if (isOfV2 && !thread.isEphemeral) this.readStates.turnEnded(thread.id, turnId);
    };
    this.ignoredSettings = new IgnoredSettings((warning) =>
      this.notifyAll("configWarning", warning),
    );
    this.loadConfig = this.ignoredSettings.quietly(explained(parts));
    const { loadConfig } = this;
    this.threads = new Threads({
      parts: { ...parts, loadConfig },
      onAnswer,
      onThread,
      remote: fleet,
      onRemote: (thread) => void this.feeds.of(thread),
      onAgent: (agent, root) => this.#followAgent(agent, root),
    });
    this.notifications = new EventNotifications(parts.era);
    const { era, clock } = parts;
    this.feeds = new ThreadFeeds({ era, clock, notifications: this.notifications });
    this.unloader = new Unloader({
      clock,
      threads: () => this.threads.all(),
      isWanted: (thread) => this.#isWanted(thread),
      unload: (thread) => this.#unload(thread),
    });
    this.unloader.start();
    this.logins = new Logins(parts, () => this.config());
    this.skills = new SkillLists(parts, () => this.config());
    const threadSkills = new ThreadSkills(this.skills, () => this.skillWatch.look());
    this.skillWatch = new SkillWatch({
      // Watch only if a client wants the notification.
      roots: async () => {
        if (fleet !== undefined) return [];
        const isWanted = [...this.#clients].some((client) => client.wants("skills/changed"));
        return threadSkills.rootsOf(isWanted ? this.threads.all() : []);
      },
      onChange: () => {
        this.skills.clear();
        this.notifyAll("skills/changed", {});
      },
    });
  }

  /** Folder of the user's settings and threads (`CODEX_HOME`). */
  get home(): string {
    return codexHome(this.parts.env);
  }

  /** Number of requests of all clients that are not answered yet. */
  get requestsInFlight(): number {
    return [...this.#peers].reduce((sum, { requestsInFlight }) => sum + requestsInFlight, 0);
  }

  /** Loads the settings that apply outside of threads; the defaults if a file is invalid. */
  async config(): Promise<Config> {
    try {
      return await this.parts.loadConfig({ type: "configure_session" });
    } catch (error) {
      if (error instanceof CodexError && error.code === "config") return this.parts.loadDefaults();
      throw error;
    }
  }

  /** Adds a connection to the recipients of v1 notifications until it closes. */
  addPeer(peer: Peer): void {
    this.#peers.add(peer);
    peer.signal.addEventListener("abort", () => this.#peers.delete(peer), { once: true });
  }

  /** Adds a client to the recipients of v2 notifications until its connection closes. */
  addClient(client: Client): void {
    this.#clients.add(client);
    const forget = () => {
      this.#clients.delete(client);
      if (this.#clients.size === 0) this.skillWatch.look();
    };
    client.peer.signal.addEventListener("abort", forget, { once: true });
  }

  /** Notifies all clients of v2. */
  notifyAll<Method extends keyof V2Notifications>(
    method: Method,
    params: V2Notifications[Method],
  ): void {
    for (const client of this.#clients) client.notify(method, params);
  }

  /** Notifies the clients of v2 that are not subscribed to a thread. */
  notifyUnsubscribed<Method extends keyof V2Notifications>(
    threadId: string,
    method: Method,
    params: V2Notifications[Method],
  ): void {
    for (const client of this.#clients) {
      if (!client.isSubscribed(threadId)) client.notify(method, params);
    }
  }

  /** Sends a v1 notification to all connections. */
  broadcast<Method extends keyof V1Notifications>(
    method: Method,
    params: V1Notifications[Method],
  ): void {
    const notification = new SharedNotification({ method, params });
    for (const peer of this.#peers) peer.notifyShared(notification);
  }

  /** Returns what `create` returned when it was first called with this server. */
  once<Value>(create: (server: Server) => Value): Value {
    if (!this.#shared.has(create)) this.#shared.set(create, create(this));
    return this.#shared.get(create) as Value;
  }

  /** Ends all threads and logins. */
  async close(): Promise<void> {
    this.unloader.stop();
    this.skillWatch.close();
    this.logins.close();
    await this.threads.close();
    await this.readStates.close();
  }

  /**
   * Returns true if a thread must stay loaded. Threads of v1 always stay: their clients need not
   * listen between turns.
   */
  #isWanted(thread: Thread): boolean {
    const feed = this.feeds.find(thread.id);
    return feed === undefined || feed.hasSubscribers || thread.listenerCount > 1;
  }

  /** Subscribes the clients of a thread to a helper agent that works for it. */
  #followAgent(agent: Thread, root: Thread): FollowedAgent {
    for (const client of this.#clients) if (client.isSubscribed(root.id)) client.subscribe(agent);
    const feed = this.feeds.of(agent);
    const notify = (status: ThreadStatus) =>
      feed.notify("thread/status/changed", { threadId: agent.id, status });
    notify(feed.status);
    return { onClose: () => notify({ type: "notLoaded" }) };
  }

  #notifyRead(threadId: string, readState: ThreadReadState): void {
    for (const client of this.#clients) {
      if (client.capabilities.experimentalApi !== true) continue;
      client.notify("thread/readState/changed", { threadId, readState });
    }
  }

  async #unload(thread: Thread): Promise<void> {
    if (this.fleet !== undefined) return thread.close({ quietly: true }); // it continues elsewhere
    await thread.close({ id: this.parts.newId() });
    const threadId = thread.id;
    this.notifyAll("thread/status/changed", { threadId, status: { type: "notLoaded" } });
    this.notifyAll("thread/closed", { threadId });
  }
}

/** Wraps `loadConfig` so that errors are those of the reference for clients: it prefixes them since 0.166. */
function explained({ loadConfig, era }: Host): Host["loadConfig"] {
  if (!era.since["0.166"]) return loadConfig;
  return (op) =>
    loadConfig(op).catch((error: unknown) => {
      if (!(error instanceof CodexError) || error.code !== "config") throw error;
      const { message, data = {} } = error;
      const options = { data, cause: error };
      throw new CodexError("config", `failed to load configuration: ${message}`, options);
    });
}
