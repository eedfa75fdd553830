import { type Config, codexHome } from "../config/index.js";
import type { LocalParts } from "../engine/index.js";
import type { Peer } from "../jsonrpc/index.js";
import { RpcError, rpcCodes, SharedNotification } from "../jsonrpc/index.js";
import { CodexError } from "../protocol/error.js";
import type { V1Notifications } from "../protocol/rpc/v1/methods.generated.js";
import type { InitializeCapabilities } from "../protocol/rpc/v2/initialize.js";
import type { V2Notifications } from "../protocol/rpc/v2/methods.generated.js";
import type { ThreadReadState } from "../protocol/rpc/v2/read-state.js";
import { ThreadIndex } from "../rollout/index.js";
import { Logins } from "./account/logins.js";
import { ThreadFeeds } from "./feed/feed.js";
import { EventNotifications } from "./feed/legacy.js";
import { History } from "./history/history.js";
import { createHost, type Host } from "./host.js";
import { IgnoredSettings } from "./ignored-settings.js";
import { SkillLists, ThreadSkills } from "./skills/lists.js";
import { SkillWatch } from "./skills/watch.js";
import { ReadStates } from "./thread/read-states.js";
import { Threads } from "./thread/registry.js";
import type { Thread } from "./thread/thread.js";
import { Unloader } from "./thread/unload.js";

/** A client that can be told something in the words of v2. */
export interface Client {
  readonly peer: Peer;
  readonly capabilities: InitializeCapabilities;
  /** Whether it has introduced itself, and wants to hear of something. */
  wants(method: keyof V2Notifications): boolean;
  /** Whether it hears a thread anyway. */
  isSubscribed(threadId: string): boolean;
  notify<Method extends keyof V2Notifications>(
    method: Method,
    params: V2Notifications[Method],
  ): void;
}

/** Throws if we disconnected a client, so that its end is logged with the reason. */
export function assertNotDisconnected({ signal }: Peer): void {
  const reason: unknown = signal.reason;
  if (reason instanceof RpcError && reason.code === rpcCodes.overloaded) throw reason;
}

/** What all connections of a JSON-RPC server share. */
export class Server {
  readonly parts: Host;
  readonly threads: Threads;
  readonly notifications: EventNotifications;
  /** What threads tell their clients of v2. */
  readonly feeds: ThreadFeeds;
  /** What happened in threads, as their files tell it. */
  readonly history = new History();
  /** How far the user has read threads. */
  readonly readStates: ReadStates;
  /** What lists show of threads, as far as it is known. */
  readonly threadIndex: ThreadIndex;
  /** Ends threads of v2 that all clients have left. */
  readonly unloader: Unloader;
  readonly ignoredSettings: IgnoredSettings;
  readonly logins: Logins;
  readonly skills: SkillLists;
  readonly skillWatch: SkillWatch;
  readonly #peers = new Set<Peer>();
  readonly #clients = new Set<Client>();
  readonly #shared = new Map<(server: Server) => unknown, unknown>();

  /** `onThread` hears of each thread that was begun or loaded, with how many there are. */
  constructor(local: LocalParts, onThread?: (live: number) => void) {
    const parts = createHost(local);
    this.parts = parts;
    this.readStates = new ReadStates({
      home: this.home,
      newId: parts.newId,
      onChange: (threadId, readState) => this.#notifyRead(threadId, readState),
    });
    const onTurnEnd = (thread: Thread, turnId: string) => {
      // Who drives a thread by the older methods, or sees its answer at once, is not asked what was read.
      const isOfV2 = parts.program === undefined && this.feeds.find(thread.id) !== undefined;
      if (isOfV2 && !thread.isEphemeral) this.readStates.turnEnded(thread.id, turnId);
    };
    this.ignoredSettings = new IgnoredSettings((warning) =>
      this.notifyAll("configWarning", warning),
    );
    const loadConfig = this.ignoredSettings.quietly(parts.loadConfig);
    this.threads = new Threads({ parts: { ...parts, loadConfig }, onTurnEnd, onThread });
    this.threadIndex = new ThreadIndex(this.home);
    this.notifications = new EventNotifications(parts.era.events);
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
      // Nothing is watched that no client wants to hear of.
      roots: async () => {
        const isWanted = [...this.#clients].some((client) => client.wants("skills/changed"));
        return threadSkills.rootsOf(isWanted ? this.threads.all() : []);
      },
      onChange: () => {
        this.skills.clear();
        this.notifyAll("skills/changed", {});
      },
    });
  }

  /** The folder of the user's settings and conversations. */
  get home(): string {
    return codexHome(this.parts.env);
  }

  /** The settings for what concerns no thread: the defaults when a file has a mistake. */
  async config(): Promise<Config> {
    try {
      return await this.parts.loadConfig({ type: "configure_session" });
    } catch (error) {
      if (error instanceof CodexError && error.code === "config") return this.parts.loadDefaults();
      throw error;
    }
  }

  /** Counts a connection among those that are told of what concerns all, until it is lost. */
  addPeer(peer: Peer): void {
    this.#peers.add(peer);
    peer.signal.addEventListener("abort", () => this.#peers.delete(peer), { once: true });
  }

  /** Counts a client of v2 among those that are told of what concerns all, until it is lost. */
  addClient(client: Client): void {
    this.#clients.add(client);
    const forget = () => {
      this.#clients.delete(client);
      if (this.#clients.size === 0) this.skillWatch.look();
    };
    client.peer.signal.addEventListener("abort", forget, { once: true });
  }

  /** Tells all clients of v2, each in its own way. */
  notifyAll<Method extends keyof V2Notifications>(
    method: Method,
    params: V2Notifications[Method],
  ): void {
    for (const client of this.#clients) client.notify(method, params);
  }

  /** Tells all clients of v2 that do not hear a thread what those that do have heard. */
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

  /** Threads of the older methods are not subscribed to between turns, so nobody seems to want them. */
  #isWanted(thread: Thread): boolean {
    const feed = this.feeds.find(thread.id);
    return feed === undefined || feed.hasSubscribers || thread.listenerCount > 1;
  }

  #notifyRead(threadId: string, readState: ThreadReadState): void {
    for (const client of this.#clients) {
      if (client.capabilities.experimentalApi !== true) continue;
      client.notify("thread/readState/changed", { threadId, readState });
    }
  }

  async #unload(thread: Thread): Promise<void> {
    await thread.close({ id: this.parts.newId() });
    const threadId = thread.id;
    this.notifyAll("thread/status/changed", { threadId, status: { type: "notLoaded" } });
    this.notifyAll("thread/closed", { threadId });
  }
}
