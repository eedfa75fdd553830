import { createWriteStream, fstatSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Writable } from "node:stream";
import type { EraName } from "../../compat/index.js";
import { codexHome } from "../../config/index.js";
import {
  type Entry,
  isInvalid,
  type Observer,
  type PageFeed,
  Placeholders,
  Recorder,
  type TraceEnd,
  TraceSink,
  toTraceJson,
  toTraceText,
} from "../../inspect/index.js";
import { errorText } from "../../lib/errors.js";
import { CodexError } from "../../protocol/error.js";
import type { CommandIo } from "../command.js";
import type { InspectPlan, InspectValues } from "./plan.js";

/** Everything that an inspection writes: messages, notes, a trace, the page. */
export class Outputs implements Observer {
  readonly #values: InspectValues;
  readonly #trace: TraceSink;
  /** Notes, and the standard error of the server. */
  readonly errors: TraceSink;
  readonly #recording: { recorder: Recorder; file: Writable } | undefined;
  #feed: PageFeed | undefined;
  #onEra: (era: EraName) => void = () => {};

  constructor(parts: {
    values: InspectValues;
    errors: TraceSink;
    trace: TraceSink;
    recording: { recorder: Recorder; file: Writable } | undefined;
  }) {
    this.#values = parts.values;
    this.errors = parts.errors;
    this.#trace = parts.trace;
    this.#recording = parts.recording;
  }

  /** Shows the messages on a page, too. */
  showOn(feed: PageFeed, onEra: (era: EraName) => void): void {
    this.#feed = feed;
    this.#onEra = onEra;
  }

  entry(shown: Entry, seen: Parameters<Recorder["add"]>[0]): void {
    this.#recording?.recorder.add(seen);
    this.#feed?.add(shown);
    if (this.#values["only-invalid"] && !isInvalid(shown)) return;
    const before = this.#trace.omitted;
    const text = this.#values.format === "jsonl" ? toTraceJson(shown) : toTraceText(shown);
    if (this.#trace.write(text) && before > 0) {
      this.note(`${before} messages were not shown: the reader of the trace is slow`);
    }
  }

  note(text: string): void {
    this.errors.write(`quire inspect: ${text}\n`);
  }

  era(name: EraName): void {
    this.#onEra(name);
  }

  /**
   * Completes the files; the recording ends with the exit code of the server. Resolves with false if the reader of
   * the standard error reads nothing.
   */
  async close(end: TraceEnd): Promise<boolean> {
    if (this.#recording !== undefined) {
      const { recorder, file } = this.#recording;
      recorder.end(end);
      await new Promise<void>((resolve) => file.end(resolve));
    }
    if (this.#trace !== this.errors) await this.#trace.close();
    return this.errors.close();
  }
}

/** Opens the files of an inspection. Throws a `CodexError` if one cannot be created. */
export async function openOutputs(
  values: InspectValues,
  plan: InspectPlan,
  io: CommandIo,
  redact: (value: unknown) => unknown,
): Promise<Outputs> {
  const errors = new TraceSink(io.stderr, { ends: false });
  const trace =
    plan.output === undefined
      ? errors
      : new TraceSink(await createFile(plan.output), { ends: true });
  const file = plan.record === undefined ? undefined : await createFile(plan.record);
  const recording = file && { recorder: createRecorder(plan, io, { file, redact }), file };
  return new Outputs({ values, errors, trace, recording });
}

/** Returns true if standard error is a pipe or a socket, which a server must not share with us. */
export function isPiped({ stderr }: CommandIo): boolean {
  if (stderr !== process.stderr) return true;
  try {
    const state = fstatSync(2);
    return state.isFIFO() || state.isSocket();
  } catch {
    return true; // closed
  }
}

async function createFile(path: string): Promise<Writable> {
  const file = createWriteStream(path, { mode: 0o600 });
  try {
    await new Promise((resolve, reject) => {
      file.once("open", resolve);
      file.once("error", reject);
    });
  } catch (error) {
    throw new CodexError("io", `Cannot write ${path}: ${errorText(error)}`, { cause: error });
  }
  return file;
}

function createRecorder(
  { server, env }: InspectPlan,
  { cwd }: CommandIo,
  { file, redact }: { file: Writable; redact: (value: unknown) => unknown },
): Recorder {
  const home = codexHome(env);
  const command = "command" in server ? asCodex(server.command) : ["codex", "app-server"];
  const config = readConfig(join(home, "config.toml"));
  return new Recorder({
    head: {
      name: basename(String((file as unknown as { path: string }).path), ".jsonl"),
      shows: "recorded with quire inspect",
      command,
      ...(config === undefined ? {} : { config_toml: config }),
    },
    placeholders: new Placeholders({ workspace: cwd, codexHome: home, home: env.HOME ?? "" }),
    redact,
    write: (text) => file.write(text),
  });
}

/** The command of a trace, with `codex` in place of the program; a replay replaces it. */
function asCodex(command: readonly string[]): string[] {
  const at = command.lastIndexOf("app-server");
  return at < 0 ? [...command] : ["codex", ...command.slice(at)];
}

/** Reads the config of the server; a replay has the model on another port. */
function readConfig(path: string): string | undefined {
  try {
    const text = readFileSync(path, "utf8");
    return text.replaceAll(
      /(base_url\s*=\s*"http:\/\/(?:127\.0\.0\.1|localhost)):\d+/g,
      "$1:<PORT>",
    );
  } catch {
    return undefined; // there need not be one
  }
}
