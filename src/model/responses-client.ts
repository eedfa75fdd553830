import type { ModelBehavior } from "../compat/index.js";
import type { Clock } from "../lib/clock.js";
import { randomUuid } from "../lib/ids.js";
import type { ResponseItem, ToolSpec } from "../protocol/types.js";
import { askStream } from "./ask-stream.js";
import {
  clientHeaders,
  type Environment,
  type Headers,
  isAzure,
  requestHeaders,
  requestUrl,
} from "./request-target.js";
import { toReasoning, toSentItem, toTextControls } from "./sent-item.js";
import { EventReader } from "./sse.js";
import type { ModelTransport, SocketUse } from "./transport.js";
import type {
  ModelAuth,
  ModelAuthSource,
  ModelClient,
  ModelProvider,
  Prompt,
  StreamItem,
} from "./types.js";

/** Options of a Responses API client. */
export interface ResponsesClientOptions {
  provider: ModelProvider;
  behavior: ModelBehavior;
  transport: ModelTransport;
  originator: string;
  userAgent: string;
  env: Environment;
  clock: Clock;
  random: () => number;
  auth?: ModelAuthSource;
}

/** Client of the Responses API. */
export class ResponsesClient implements ModelClient {
  #options: ResponsesClientOptions;
  #bodies: RequestBodies;
  #headers: Headers;

  constructor(options: ResponsesClientOptions) {
    this.#options = options;
    const sendsItemIds = options.behavior.requestForm === "2026-11";
    this.#bodies = new RequestBodies(options.provider, { sendsItemIds });
    this.#headers = clientHeaders(options);
  }

  async *stream(prompt: Prompt, signal: AbortSignal): AsyncGenerator<readonly StreamItem[]> {
    signal.throwIfAborted();
    const { provider, behavior } = this.#options;
    const query = {
      url: (auth: ModelAuth | undefined) => requestUrl(provider, auth),
      headers: (auth: ModelAuth | undefined) =>
        requestHeaders(this.#headers, prompt, auth, behavior),
      body: this.#bodies.write(prompt),
      createReader: () => new EventReader(behavior),
      ...this.#socketUse(prompt),
    };
    yield* askStream(this.#options, query, signal);
  }

  close(): void {
    this.#options.transport.close();
  }

  #socketUse({ conversationId, threadId = conversationId }: Prompt): { socket?: SocketUse } {
    const { supports_websockets, websocket_connect_timeout_ms } = this.#options.provider;
    if (!supports_websockets) return {};
    const connectTimeoutMs = websocket_connect_timeout_ms ?? 15_000;
    return { socket: { conversation: threadId, connectTimeoutMs } };
  }
}

/**
 * Serializes the requests to one provider.
 *
 * Parts that repeat between requests of a conversation (items, tools, instructions) are serialized
 * once.
 */
export class RequestBodies {
  #items: JsonPieces<ResponseItem>;
  #toolsIds = new Map<string, string>();
  #stores: boolean;

  constructor(provider: ModelProvider, { sendsItemIds = false }: { sendsItemIds?: boolean } = {}) {
    const azure = isAzure(provider);
    const own = azure ? "own" : "none";
    const ids = sendsItemIds ? "all" : own;
    this.#items = new JsonPieces((item) => toSentItem(item, ids));
    this.#stores = azure || provider.store;
  }

  /** Returns the body as JSON, its keys in the order of the reference. */
  write(prompt: Prompt): Buffer {
    const pieces: Uint8Array[] = [
      Buffer.from(`{"model":${JSON.stringify(prompt.model)}`),
      ...instructionsJson(prompt.instructions),
      Buffer.from(',"input":['),
    ];
    if (prompt.toolsInInput) this.#toolsItem(pieces, prompt);
    this.#items.appendTo(pieces, prompt.input);
    if (!prompt.toolsInInput) {
      pieces.push(Buffer.from('],"tools":['));
      toolPieces.appendTo(pieces, prompt.tools);
    }
    pieces.push(Buffer.from(this.#rest(prompt)));
    return Buffer.concat(pieces);
  }

  /** Appends the tools as an item; those without a namespace are in that of functions. */
  #toolsItem(pieces: Uint8Array[], { tools, conversationId }: Prompt): void {
    const id = this.#toolsIds.get(conversationId) ?? `at_${randomUuid()}`;
    this.#toolsIds.set(conversationId, id);
    const functions = tools.filter(({ type }) => type !== "namespace");
    const group = '{"type":"namespace","name":"functions","description":"","tools":[';
    pieces.push(
      Buffer.from(`{"type":"additional_tools","id":"${id}","role":"developer","tools":[`),
    );
    pieces.push(Buffer.from(group));
    toolPieces.appendTo(pieces, functions);
    pieces.push(Buffer.from("]}"));
    for (const spec of tools.filter(({ type }) => type === "namespace")) {
      pieces.push(Buffer.from(","));
      toolPieces.appendTo(pieces, [spec]);
    }
    pieces.push(Buffer.from("]},"));
  }

  /** Serializes the members after the tools. */
  #rest(prompt: Prompt): string {
    const { reasoning, previousResponseId } = prompt;
    const text = toTextControls(prompt);
    const include = reasoning === undefined ? "[]" : '["reasoning.encrypted_content"]';
    let json = `],"tool_choice":"auto","parallel_tool_calls":${prompt.parallelToolCalls}`;
    json += `,"reasoning":${JSON.stringify(toReasoning(prompt))}`;
    json += `,"store":${this.#stores},"stream":true,"include":${include}`;
    json += `,"prompt_cache_key":${JSON.stringify(prompt.conversationId)}`;
    if (text !== undefined) json += `,"text":${JSON.stringify(text)}`;
    if (prompt.metadata !== undefined) {
      json += `,"client_metadata":${JSON.stringify(prompt.metadata)}`;
    }
    if (previousResponseId !== undefined) {
      json += `,"previous_response_id":${JSON.stringify(previousResponseId)}`;
    }
    return `${json}}`;
  }
}

/** Instructions of the last requests as JSON; conversations with the same model share them. */
const recentInstructions: { text: string; json: Buffer }[] = [];
const mostInstructions = 8;

function instructionsJson(text: string | undefined): Uint8Array[] {
  if (text === undefined) return [];
  const at = recentInstructions.findIndex((one) => one.text === text);
  const [known = { text, json: ownBytes(`,"instructions":${JSON.stringify(text)}`) }] =
    at < 0 ? [] : recentInstructions.splice(at, 1);
  recentInstructions.unshift(known);
  recentInstructions.length = Math.min(recentInstructions.length, mostInstructions);
  return [known.json];
}

/**
 * Caches the JSON of values for requests.
 *
 * A recorded item never changes, so a long history is not serialized again with every request.
 * Bytes are cached rather than text: joining them is a copy without encoding. They are released
 * with their values.
 */
class JsonPieces<T extends object> {
  #written = new WeakMap<T, Buffer>();
  #toSent: (value: T) => object | undefined;

  /** A value for which `toSent` returns `undefined` is omitted. */
  constructor(toSent: (value: T) => object | undefined) {
    this.#toSent = toSent;
  }

  /** Appends the values to a body, separated by commas. */
  appendTo(pieces: Uint8Array[], values: readonly T[]): void {
    let first = true;
    for (const value of values) {
      const bytes = this.#bytes(value);
      if (bytes.length === 0) continue;
      pieces.push(first ? bytes.subarray(1) : bytes);
      first = false;
    }
  }

  /** Returns the value with its leading comma; empty for an omitted one. */
  #bytes(value: T): Buffer {
    let bytes = this.#written.get(value);
    if (bytes === undefined) {
      const sent = this.#toSent(value);
      bytes = ownBytes(sent === undefined ? "" : `,${JSON.stringify(sent)}`);
      this.#written.set(value, bytes);
    }
    return bytes;
  }
}

/** Tools of all conversations: those with equal settings have the same. */
const toolPieces = new JsonPieces<ToolSpec>((tool) => tool);

/** Copies to a separate buffer: a cached slice would retain the whole pool. */
function ownBytes(text: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  bytes.write(text);
  return bytes;
}
