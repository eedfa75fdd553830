import type {
  AgentContext,
  ClientCapabilities,
  ClientRequestMethod,
  ClientRequestParamsByMethod,
  ClientRequestResponsesByMethod,
  SessionUpdate,
} from "@agentclientprotocol/sdk";
import { isRecord } from "../../protocol/read/check.js";

/** The editor: the program at the other end of the connection. */
export class Editor {
  readonly #client: AgentContext;
  #capabilities: ClientCapabilities = {};
  /** True if it runs commands in its terminals. */
  hasTerminals = false;
  #pending = 0;
  #drained: Promise<unknown> = Promise.resolve();

  constructor(client: AgentContext) {
    this.#client = client;
  }

  get capabilities(): ClientCapabilities {
    return this.#capabilities;
  }

  set capabilities(capabilities: ClientCapabilities) {
    this.#capabilities = capabilities;
    this.hasTerminals = capabilities.terminal === true;
  }

  /** True if it shows terminals whose output the agent sends, an extension of Zed. */
  get showsOutput(): boolean {
    const { _meta: meta } = this.#capabilities;
    return isRecord(meta) && meta.terminal_output === true;
  }

  /** True if it shows forms. */
  get hasForms(): boolean {
    return this.#capabilities.elicitation?.form != null;
  }

  /** Sends an update of a session. */
  update(sessionId: string, update: SessionUpdate): void {
    this.#pending++;
    const sent = this.#client.notify("session/update", { sessionId, update });
    this.#drained = sent.catch(() => undefined).finally(() => this.#pending--);
  }

  /** Returns a promise while many updates are unsent. */
  room(): Promise<void> | undefined {
    return this.#pending < mostPending ? undefined : this.#drained.then(() => undefined);
  }

  /** Returns the files that the editor has open, if it shares them. */
  buffers(sessionId: string) {
    const { readTextFile, writeTextFile } = this.#capabilities.fs ?? {};
    if (!readTextFile && !writeTextFile) return undefined;
    const ask = <Method extends "fs/read_text_file" | "fs/write_text_file">(
      method: Method,
      params: ClientRequestParamsByMethod[Method],
    ) => this.request(method, params, AbortSignal.timeout(fileTimeoutMs));
    return {
      /** A file that the editor cannot read, or not in time, is read from the disk. */
      async read(path: string): Promise<string | undefined> {
        if (!readTextFile) return undefined;
        return ask("fs/read_text_file", { sessionId, path }).then(
          ({ content }) => content,
          () => undefined,
        );
      },
      async write(path: string, content: string): Promise<boolean> {
        if (!writeTextFile) return false;
        return ask("fs/write_text_file", { sessionId, path, content }).then(
          () => true,
          () => false,
        );
      },
    };
  }

  /** Sends a request; rejects at once when the signal aborts. */
  request<Method extends ClientRequestMethod>(
    method: Method,
    params: ClientRequestParamsByMethod[Method],
    signal: AbortSignal,
  ): Promise<ClientRequestResponsesByMethod[Method]> {
    const options = { cancellationSignal: signal, stopWaitingOnCancel: true };
    return this.#client.request(method, params, options);
  }
}

/** Most updates that wait for a slow editor before the engine waits, too. */
const mostPending = 256;

/** Longest time to wait for a file. */
const fileTimeoutMs = 10_000;
