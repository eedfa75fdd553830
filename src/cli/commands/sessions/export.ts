import { createWriteStream } from "node:fs";
import { resolve } from "node:path";
import type { Writable } from "node:stream";
import { codexHome } from "../../../config/index.js";
import { programName } from "../../../lib/program-name.js";
import { type RolloutVisitor, visitConversation } from "../../../rollout/index.js";
import { defineCommand } from "../../command.js";
import { exitCodes } from "../../exit-codes.js";
import { visibleLines } from "../../print.js";
import { findSession, sessionOperand } from "./find-session.js";
import { toMarkdown } from "./to-markdown.js";

/** Exports a session as Markdown, or all recorded lines as JSON. */
export const sessionsExport = defineCommand({
  name: "sessions export",
  summary: "Export a session as Markdown or JSON",
  ...sessionOperand,
  options: {
    json: { type: "boolean", help: "Export every recorded line as a JSON array" },
    output: {
      type: "string",
      short: "o",
      value: "FILE",
      help: "Write to this file, which must not exist",
    },
  },
  async run({ values, positionals: [text] }, io) {
    const { path } = await findSession(codexHome(io.env), text, "any");
    const file = values.output === undefined ? undefined : resolve(io.cwd, values.output);
    const target = file === undefined ? io.stdout : await openNew(file);
    // Control characters are kept in files, but must not reach a terminal.
    const shown = file === undefined && io.stdout.isTTY ? visibleLines : (piece: string) => piece;
    const visitor = values.json ? new JsonExport(target) : new MarkdownExport(target, shown);
    const warnings = await visitConversation(path, visitor);
    visitor.end();
    if (file !== undefined) await new Promise<void>((done) => target.end(done));
    for (const warning of warnings) io.stderr.write(`${programName()}: ${visibleLines(warning)}\n`);
    return exitCodes.ok;
  },
});

/** Opens a file for writing; fails if it exists. */
async function openNew(file: string): Promise<Writable> {
  const stream = createWriteStream(file, { flags: "wx", mode: 0o600 });
  await new Promise((done, failed) => stream.once("open", done).once("error", failed));
  return stream;
}

/** Writes to a stream with back-pressure. */
class Pieces {
  readonly #target: Writable;
  #isFull = false;

  constructor(target: Writable) {
    this.#target = target;
  }

  write(piece: string): void {
    if (piece !== "") this.#isFull = !this.#target.write(piece);
  }

  async room(): Promise<void> {
    if (!this.#isFull) return;
    this.#isFull = false;
    await new Promise((done) => this.#target.once("drain", done));
  }
}

class JsonExport implements RolloutVisitor {
  readonly #pieces: Pieces;
  #separator = "[\n";

  constructor(target: Writable) {
    this.#pieces = new Pieces(target);
  }

  line(line: unknown): void {
    this.#pieces.write(`${this.#separator}${JSON.stringify(line)}`);
    this.#separator = ",\n";
  }

  room(): Promise<void> {
    return this.#pieces.room();
  }

  end(): void {
    this.#pieces.write(this.#separator === "[\n" ? "[]\n" : "\n]\n");
  }
}

class MarkdownExport implements RolloutVisitor {
  readonly #pieces: Pieces;
  readonly #shown: (piece: string) => string;

  constructor(target: Writable, shown: (piece: string) => string) {
    this.#pieces = new Pieces(target);
    this.#shown = shown;
  }

  line(line: Parameters<RolloutVisitor["line"]>[0]): void {
    this.#pieces.write(this.#shown(toMarkdown(line)));
  }

  room(): Promise<void> {
    return this.#pieces.room();
  }

  end(): void {}
}
