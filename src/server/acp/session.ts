import type {
  ContentBlock,
  PermissionOption,
  SessionConfigOption,
  SessionModeState,
  SessionUpdate,
  StopReason,
  ToolCallUpdate,
} from "@agentclientprotocol/sdk";
import { RequestError } from "@agentclientprotocol/sdk";
import { createDeferred, type Deferred } from "../../lib/async.js";
import type { Model } from "../../protocol/rpc/v2/model.js";
import type { Turn } from "../../protocol/rpc/v2/turn.js";
import type { UserInput } from "../../protocol/rpc/v2/user-input.js";
import type { AppNotification, AppServer } from "./app-server.js";
import { type CommandSources, listCommands, readCommand } from "./commands.js";
import { changeOf, toConfigOptions } from "./config-options.js";
import type { Editor } from "./editor.js";
import type { Modes } from "./modes.js";
import { toInput } from "./prompt.js";
import type { Ways } from "./questions.js";
import { changedSettings, type SessionSettings } from "./settings.js";
import { stopReasonOf } from "./stop-reason.js";
import { Updates } from "./updates.js";

/** Parts of a session. */
export interface SessionParts {
  id: string;
  cwd: string;
  home: string;
  appServer: AppServer;
  editor: Editor;
  settings: SessionSettings;
  modes: Modes;
  models: readonly Model[];
}

/** A session of the editor: one thread, whose notifications it translates. */
export class AcpSession {
  readonly id: string;
  readonly #parts: SessionParts;
  readonly #updates: Updates;
  #settings: SessionSettings;
  /** The running turn, and the last one that has ended. */
  #turnId: string | undefined;
  #lastTurn: Turn | undefined;
  /** Prompts that wait for the end of a turn; `undefined` is any turn. */
  #waiting = new Map<string | undefined, Deferred<Turn>>();
  /** Changes of settings that are not reported yet. */
  #changes: Deferred<void>[] = [];
  #starting = 0;
  #isCancelled = false;

  constructor(parts: SessionParts) {
    const { id, settings, editor } = parts;
    const { session } = editor.capabilities;
    this.id = id;
    this.#parts = parts;
    this.#settings = settings;
    this.#updates = new Updates((update) => this.#send(update), {
      showsOutput: editor.showsOutput,
      showsNotices: session?.notices != null,
      showsCompaction: session?.compaction != null,
    });
  }

  get modes(): SessionModeState {
    return this.#parts.modes.state(this.#settings);
  }

  get configOptions(): SessionConfigOption[] {
    return toConfigOptions(this.#settings, this.modes, this.#parts.models);
  }

  /** Updates for the editor. */
  get updates(): Updates {
    return this.#updates;
  }

  /** Runs a prompt; resolves when its turn has ended. Input for a running turn joins that turn. */
  async prompt(blocks: readonly ContentBlock[]): Promise<StopReason> {
    const input = toInput(blocks);
    this.#isCancelled = false;
    this.#starting++;
    try {
      const turn = await this.#run(input);
      return stopReasonOf(turn, this.#isCancelled);
    } finally {
      this.#starting--;
    }
  }

  /** Interrupts the running turn; its prompt resolves as cancelled. */
  async cancel(): Promise<void> {
    if (this.#starting > 0) this.#isCancelled = true;
    if (this.#turnId !== undefined) await this.#interrupt(this.#turnId);
  }

  async setMode(modeId: string): Promise<void> {
    await this.#change(this.#parts.modes.settingsOf(modeId, this.#settings));
  }

  async setOption(configId: string, value: unknown): Promise<SessionConfigOption[]> {
    if (configId === "mode" && typeof value === "string") await this.setMode(value);
    else await this.#change(changeOf(configId, value, this.configOptions));
    return this.configOptions;
  }

  /** Makes the further workspace directories of the editor writable, if the workspace is. */
  async addDirectories(): Promise<void> {
    const { sandbox, profile, directories } = this.#settings;
    if (directories.length === 0 || sandbox.type !== "workspaceWrite") return;
    if (profile !== undefined) return; // it lists its folders
    const writableRoots = [...new Set([...(sandbox.writableRoots ?? []), ...directories])];
    await this.#change({ sandboxPolicy: { ...sandbox, writableRoots } });
  }

  /** Sends the recorded turns, oldest first. */
  async replay(): Promise<void> {
    const { appServer } = this.#parts;
    let cursor: string | null | undefined;
    do {
      const page = await appServer.request("thread/turns/list", {
        threadId: this.id,
        sortDirection: "asc",
        itemsView: "full",
        limit: turnsOfPage,
        ...(cursor == null ? {} : { cursor }),
      });
      for (const { items, plan } of page.data) {
        for (const item of items) this.#updates.replay(item);
        if (plan !== undefined) this.#updates.plan(plan.plan);
      }
      await this.#parts.editor.room();
      cursor = page.nextCursor;
    } while (cursor != null);
  }

  /** Sends the list of slash commands. */
  async sendCommands(): Promise<void> {
    const availableCommands = await listCommands(this.#sources);
    this.#send({ sessionUpdate: "available_commands_update", availableCommands });
  }

  /** Receives a notification of its thread. */
  receive(notification: AppNotification): void {
    const { method, params } = notification;
    if (method === "turn/started") {
      this.#turnId = params.turn.id;
      if (this.#isCancelled && this.#starting > 0) void this.#interrupt(params.turn.id);
    } else if (method === "turn/completed") {
      this.#endTurn(params.turn);
    } else if (method === "thread/settings/updated") {
      this.#settle(changedSettings(params.threadSettings, this.#settings.directories));
    } else {
      this.#updates.receive(notification);
    }
  }

  /**
   * Returns the ways to ask the user, until a signal aborts.
   *
   * `endsCall` is for requests whose tool call has no item of this thread that would complete it.
   */
  ways(signal: AbortSignal, { endsCall }: { endsCall: boolean }): Ways {
    const { editor } = this.#parts;
    const sessionId = this.id;
    const permission = async (toolCall: ToolCallUpdate, options: readonly PermissionOption[]) => {
      const request = { sessionId, toolCall, options: [...options] };
      const asked = editor.request("session/request_permission", request, signal);
      const end = (isAllowed: boolean) => {
        if (endsCall) this.#updates.endCall(toolCall.toolCallId, isAllowed);
      };
      asked.catch(() => end(false));
      const { outcome } = await asked;
      const chosen = outcome.outcome === "selected" ? outcome.optionId : undefined;
      const kind = options.find(({ optionId }) => optionId === chosen)?.kind;
      end(kind === "allow_once" || kind === "allow_always");
      return outcome.outcome === "selected" ? outcome.optionId : undefined;
    };
    if (!editor.hasForms) return { permission, form: undefined };
    return {
      permission,
      form: (form) =>
        editor.request("elicitation/create", { mode: "form", sessionId, ...form }, signal),
    };
  }

  /** The thread has ended, or the session was closed. */
  close(): void {
    this.#updates.close();
    const error = new RequestError(-32603, `Session ${this.id} has ended`);
    for (const waiting of [...this.#waiting.values(), ...this.#changes]) waiting.reject(error);
    this.#waiting.clear();
  }

  async #run(input: UserInput[]): Promise<Turn> {
    const { appServer } = this.#parts;
    const threadId = this.id;
    const command = await readCommand(input, this.#sources);
    if (command?.type === "compact") {
      const ended = this.#turnEnd(undefined);
      ended.catch(() => undefined);
      await appServer.request("thread/compact/start", { threadId });
      return ended;
    }
    if (command?.type === "review") {
      const { target } = command;
      const { turn } = await appServer.request("review/start", { threadId, target });
      return this.#turnEnd(turn.id);
    }
    const sent = command?.input ?? input;
    const joined = await this.#steer(sent);
    if (joined !== undefined) return this.#turnEnd(joined);
    const { turn } = await appServer.request("turn/start", { threadId, input: sent });
    return this.#turnEnd(turn.id);
  }

  /** Adds input to the running turn; returns its id, or undefined if it takes none. */
  async #steer(input: UserInput[]): Promise<string | undefined> {
    const expectedTurnId = this.#turnId;
    if (expectedTurnId === undefined) return undefined;
    const params = { threadId: this.id, input, expectedTurnId };
    return this.#parts.appServer.request("turn/steer", params).then(
      ({ turnId }) => turnId,
      () => undefined,
    );
  }

  #turnEnd(turnId: string | undefined): Promise<Turn> {
    const last = this.#lastTurn;
    if (turnId !== undefined && last?.id === turnId) return Promise.resolve(last);
    if (turnId !== undefined && this.#isCancelled) void this.#interrupt(turnId);
    const waiting = this.#waiting.get(turnId) ?? createDeferred<Turn>();
    this.#waiting.set(turnId, waiting);
    return waiting.promise;
  }

  #endTurn(turn: Turn): void {
    this.#updates.endTurn();
    if (this.#turnId === turn.id) this.#turnId = undefined;
    this.#lastTurn = { ...turn, items: [] };
    for (const key of [turn.id, undefined]) {
      this.#waiting.get(key)?.resolve(turn);
      this.#waiting.delete(key);
    }
  }

  /** A turn that has ended meanwhile needs no interruption. */
  async #interrupt(turnId: string): Promise<void> {
    const params = { threadId: this.id, turnId };
    await this.#parts.appServer.request("turn/interrupt", params).catch(() => undefined);
  }

  /** Changes settings; resolves when the server has reported the change. */
  async #change(change: object): Promise<void> {
    const changed = createDeferred<void>();
    this.#changes.push(changed);
    try {
      await this.#parts.appServer.request("thread/settings/update", {
        threadId: this.id,
        ...change,
      });
    } catch (error) {
      this.#changes = this.#changes.filter((one) => one !== changed);
      throw error;
    }
    await changed.promise;
  }

  /** Takes over changed settings, and sends what the editor shows of them. */
  #settle(settings: SessionSettings): void {
    const before = [this.modes.currentModeId, JSON.stringify(this.configOptions)];
    this.#settings = settings;
    this.#changes.shift()?.resolve();
    const { currentModeId } = this.modes;
    const { configOptions } = this;
    if (before[0] !== currentModeId) {
      this.#send({ sessionUpdate: "current_mode_update", currentModeId });
    }
    if (before[1] === JSON.stringify(configOptions)) return;
    this.#send({ sessionUpdate: "config_option_update", configOptions });
  }

  get #sources(): CommandSources {
    const { appServer, home, cwd } = this.#parts;
    return { appServer, home, cwd };
  }

  #send(update: SessionUpdate): void {
    this.#parts.editor.update(this.id, update);
  }
}

const turnsOfPage = 50;
