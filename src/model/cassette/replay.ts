import { untilAborted } from "../../lib/async.js";
import { createRedactor, variableSecrets } from "../../lib/redact.js";
import { asString } from "../../lib/text.js";
import { CodexError } from "../../protocol/error.js";
import { isRecord, parseRecord } from "../../protocol/read/check.js";
import type { ModelAnswer, ModelRequest } from "../transport.js";
import type { Cassette, CassetteHost } from "./cassette.js";
import { describeNearest } from "./difference.js";
import { type CassetteEntry, type RecordedResponse, readCassette } from "./format.js";
import { type NormalRequest, RequestNormalizer, type RunValues } from "./normalize.js";
import { foldersOf } from "./record.js";
import { agentOf, rootAgent } from "./trace.js";

/** Options for `replayCassette`. */
export interface ReplayOptions {
  /** If true, a request that was not recorded gets the next response that was not played yet. */
  lenient?: boolean;
}

/** A cassette that answers in place of the model. */
export interface ReplayedCassette extends Cassette {
  /** Number of recorded responses that were not played yet. */
  readonly left: number;
  /** Problems of the requests that were not recorded, in their order. */
  readonly misses: readonly string[];
}

/**
 * Replays a recorded cassette, or the model traffic of a trace: no request reaches a server.
 *
 * A request that was not recorded fails the turn, with the first difference from the nearest recorded one. Equal requests get
 * their responses in the recorded order. Throws a `CodexError` if the file is not a complete cassette.
 */
export async function replayCassette(
  file: string,
  options: ReplayOptions = {},
): Promise<ReplayedCassette> {
  const player = new Player(file, await readCassette(file), options.lenient ?? false);
  return {
    attach: (_network, host) => ({
      post: (request, signal) => player.post(request, host, signal),
      close: () => undefined,
    }),
    replayed: player.first,
    get left() {
      return player.left;
    },
    misses: player.misses,
    async close() {},
  };
}

class Player {
  readonly misses: string[] = [];
  readonly #file: string;
  readonly #all: readonly CassetteEntry[];
  readonly #left: Set<CassetteEntry>;
  readonly #lenient: boolean;
  #asked = 0;

  constructor(file: string, entries: readonly CassetteEntry[], lenient: boolean) {
    this.#file = file;
    this.#all = entries;
    this.#left = new Set(entries);
    this.#lenient = lenient;
  }

  get left(): number {
    return this.#left.size;
  }

  /** The first request. */
  get first(): { api: string; model: string | undefined } {
    const { api = "responses", body } = this.#all[0]?.request ?? {};
    return { api, model: isRecord(body) ? asString(body.model) : undefined };
  }

  async post(request: ModelRequest, host: CassetteHost, signal: AbortSignal): Promise<ModelAnswer> {
    signal.throwIfAborted();
    const redact = createRedactor(variableSecrets(host.env));
    const normalizer = new RequestNormalizer({ folders: foldersOf(host), redact });
    const normal = normalizer.normalize(request);
    this.#asked++;
    const { response } = this.#take(
      normal,
      agentOf(parseRecord(request.body.toString()), request.headers),
    );
    if (response.error !== undefined) {
      if (response.ending === "open") return untilAborted(signal);
      throw new Error(response.error);
    }
    return toAnswer(response, normal.values, signal);
  }

  #take(request: NormalRequest, asking: string): CassetteEntry {
    const found = this.#find(({ key }) => key === request.key) ?? this.#findOf(asking);
    if (found === undefined) this.misses.push(this.#missText(request));
    const entry = found ?? (this.#lenient ? this.#find(() => true) : undefined);
    if (entry === undefined) throw new CodexError("model", this.misses.at(-1) ?? "");
    this.#left.delete(entry);
    return entry;
  }

  /** Finds the next response without a key for an agent; those of the first generation have no paths. */
  #findOf(asking: string): CassetteEntry | undefined {
    const ofAgent = this.#find(({ key, agent }) => key === undefined && agent === asking);
    if (ofAgent !== undefined || asking === rootAgent) return ofAgent;
    return this.#find(({ key, agent }) => key === undefined && agent !== rootAgent);
  }

  #find(fits: (entry: CassetteEntry) => boolean): CassetteEntry | undefined {
    for (const entry of this.#left) if (fits(entry)) return entry;
    return undefined;
  }

  #missText(request: NormalRequest): string {
    const nearest =
      describeNearest(request, [...this.#left]) ??
      describeNearest(request, this.#all) ??
      "It has no responses at all.";
    return `The cassette ${this.#file} has no response for request ${this.#asked}. ${nearest}\nRecord it again if the change is intended.`;
  }
}

function toAnswer(response: RecordedResponse, values: RunValues, signal: AbortSignal): ModelAnswer {
  // One piece per event, as most servers send them.
  const pieces = values.fill(response.body).split(/(?<=\n\n)/);
  return {
    status: response.status,
    statusLine: response.status_line,
    headers: response.headers,
    async next() {
      signal.throwIfAborted();
      const piece = pieces.shift();
      if (piece !== undefined && piece !== "") return piece;
      if (response.ending === "cut") throw new Error("the recorded connection was lost here");
      return response.ending === "open" ? untilAborted(signal) : undefined;
    },
    drain: async () => undefined,
    close: () => undefined,
  };
}
