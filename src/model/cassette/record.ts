import { closeSync, openSync, readFileSync, renameSync, writeSync } from "node:fs";
import { errorCode, errorText } from "../../lib/errors.js";
import { withFileLock } from "../../lib/file-lock.js";
import { createRedactor, headerSecrets, urlSecrets, variableSecrets } from "../../lib/redact.js";
import type { ModelAnswer, ModelRequest, ModelTransport } from "../transport.js";
import type { Cassette, CassetteHost } from "./cassette.js";
import {
  EntryWriter,
  endLine,
  headerLine,
  isCassette,
  problem,
  type RecordedResponse,
} from "./format.js";
import { type NormalRequest, RequestNormalizer } from "./normalize.js";
import { redactPieces } from "./redact-pieces.js";

/** Options for `recordCassette`. */
export interface RecordOptions {
  /** If false, keys and tokens are recorded as they are. */
  redact?: boolean;
}

/**
 * Records the traffic with the model to a file, which is complete once the cassette is closed.
 *
 * An older cassette is replaced then; any other file is refused. So is a file that another process records to.
 */
export async function recordCassette(file: string, options: RecordOptions = {}): Promise<Cassette> {
  checkTarget(file);
  const release = await lock(file);
  try {
    const recording = new Recording(file);
    return {
      attach: (network, host) => ({
        post: (request, signal) =>
          recordPost(
            recording,
            { network, host, redacts: options.redact !== false },
            request,
            signal,
          ),
        close: () => network.close(),
      }),
      async close() {
        recording.close();
        await release();
      },
    };
  } catch (error) {
    await release();
    throw problem(file, `cannot be written: ${errorText(error)}`, error);
  }
}

/** Writes next to the file, and replaces it at the end. */
class Recording {
  readonly #file: string;
  readonly #descriptor: number;
  readonly #writer = new EntryWriter();
  #asked = 0;
  #count = 0;
  #closed = false;

  constructor(file: string) {
    this.#file = file;
    this.#descriptor = openSync(`${file}.part`, "w", 0o600);
    writeSync(this.#descriptor, headerLine);
  }

  /** Numbers a request; call the result once, with its response. */
  begin({ api, body, key }: NormalRequest): (response: RecordedResponse) => void {
    const n = this.#asked++;
    let isWritten = false;
    return (response) => {
      if (this.#closed || isWritten) return;
      isWritten = true;
      const lines = this.#writer.lines({ n, key, request: { api, body }, response });
      writeSync(this.#descriptor, lines);
      this.#count++;
    };
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    writeSync(this.#descriptor, endLine(this.#count));
    closeSync(this.#descriptor);
    renameSync(`${this.#file}.part`, this.#file);
  }
}

async function recordPost(
  recording: Recording,
  { network, host, redacts }: { network: ModelTransport; host: CassetteHost; redacts: boolean },
  request: ModelRequest,
  signal: AbortSignal,
): Promise<ModelAnswer> {
  const secrets = [
    ...variableSecrets(host.env),
    ...headerSecrets(request.headers),
    ...urlSecrets(request.url),
  ];
  const redact = redacts ? createRedactor(secrets) : (text: string) => text;
  const normalizer = new RequestNormalizer({ folders: foldersOf(host), redact });
  const normal = normalizer.normalize(request);
  const write = recording.begin(normal);
  let answer: ModelAnswer;
  try {
    answer = await network.post(request, signal);
  } catch (error) {
    const ending = signal.aborted ? "open" : "cut";
    write({
      status: 0,
      status_line: "",
      headers: {},
      body: "",
      ending,
      error: redact(errorText(error)),
    });
    throw error;
  }
  let text = "";
  const finish = (ending: RecordedResponse["ending"]) => {
    const { status, statusLine: status_line } = answer;
    const headers = recordedHeaders(answer, redact);
    const body = normalizer.hide(redactPieces(text, redact), normal.values);
    write({ status, status_line, headers, body, ending });
  };
  return {
    ...answer,
    async next() {
      try {
        const piece = await answer.next();
        if (piece === undefined) finish("end");
        else text += piece;
        return piece;
      } catch (error) {
        finish(signal.aborted ? "open" : "cut");
        throw error;
      }
    },
    drain() {
      finish("end");
      return answer.drain();
    },
    close() {
      finish("open");
      answer.close();
    },
  };
}

/** Returns the folders whose paths differ from machine to machine. */
export function foldersOf({ home, cwd }: CassetteHost): Record<string, string> {
  return { home, cwd };
}

/** Only headers that the client reads are recorded: others may identify the user. */
function recordedHeaders(
  { headers }: ModelAnswer,
  redact: (text: string) => string,
): Record<string, string> {
  const kept = Object.entries(headers).filter(
    ([name, value]) => readHeaders.test(name) && value !== undefined,
  );
  return Object.fromEntries(kept.map(([name, value]) => [name, redact(String(value))]));
}

const readHeaders = /^(content-type|retry-after(-ms)?|x-codex-.*|x-ratelimit-.*|openai-model)$/i;

/** Throws if the file exists and is something else than a cassette. */
function checkTarget(file: string): void {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    if (errorCode(error) === "ENOENT") return;
    throw problem(file, `cannot be replaced: ${errorText(error)}`, error);
  }
  if (text !== "" && !isCassette(text)) {
    throw problem(file, "would replace a file that is not a cassette: choose another name");
  }
}

/** Locks a file for this recorder; resolves with the function that unlocks it. */
function lock(file: string): Promise<() => Promise<void>> {
  return new Promise((resolve, reject) => {
    let unlock = () => {};
    const held = withFileLock(`${file}.lock`, shortPatience, () => {
      const released = new Promise<void>((done) => {
        unlock = done;
      });
      resolve(async () => {
        unlock();
        await held;
      });
      return released;
    });
    held.catch((error) =>
      reject(problem(file, `cannot be recorded now: ${errorText(error)}`, error)),
    );
  });
}

/** A recording lasts as long as its run, so waiting for another one is of no use. */
const shortPatience = { sameHolderMs: 100, totalMs: 3_000 };
