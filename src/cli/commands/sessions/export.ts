import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { resolve } from "node:path";
import type { Writable } from "node:stream";
import { codexHome } from "../../../config/index.js";
import { errorCode, errorText } from "../../../lib/errors.js";
import { programName } from "../../../lib/program-name.js";
import { createRedactor, variableSecrets } from "../../../lib/redact.js";
import { CodexError } from "../../../protocol/error.js";
import {
  type RolloutVisitor,
  readHead,
  readThreadFacts,
  readThreadNames,
  visitConversation,
} from "../../../rollout/index.js";
import { type CommandIo, defineCommand } from "../../command.js";
import { exitCodes, UsageError } from "../../exit-codes.js";
import { visibleLines } from "../../print.js";
import { findSession, sessionOperand } from "./find-session.js";
import { toMarkdown } from "./to-markdown.js";

/** Exports a session as Markdown, as a page, or all recorded lines as JSON. */
export const sessionsExport = defineCommand({
  name: "sessions export",
  summary: "Export a session as Markdown, HTML or JSON",
  operands: "SESSION [FILE]",
  mostOperands: 2,
  details: [
    sessionOperand.details,
    "FILE is where the export is written; it must not exist. Without one, or with `-`, it is printed.",
    "Markdown and HTML are redacted: values of environment variables with names of secrets, and keys",
    "and tokens that are known by their form. JSON has every line as it was recorded.",
    "An HTML file contains the whole session and loads nothing.",
  ].join("\n"),
  options: {
    html: { type: "boolean", help: "Export a page that shows the session in a browser" },
    json: { type: "boolean", help: "Export every recorded line as a JSON array" },
    output: {
      type: "string",
      short: "o",
      value: "FILE",
      help: "Write to this file, which must not exist",
    },
  },
  async run({ values, positionals: [text, operand] }, io) {
    if (values.html && values.json)
      throw new UsageError("`--html` and `--json` exclude each other");
    if (operand !== undefined && values.output !== undefined) {
      throw new UsageError(`Expected one file (got ${operand} and --output ${values.output})`);
    }
    const { id, path } = await findSession(codexHome(io.env), text, "any");
    const given = operand ?? values.output;
    const file = given === undefined || given === "-" ? undefined : resolve(io.cwd, given);
    if (values.html) return exportHtml({ id, path, file }, io);
    const target = file === undefined ? io.stdout : await openNew(file);
    // Control characters are kept in files, but must not reach a terminal.
    const redact = createRedactor(variableSecrets(io.env));
    const isTerminal = file === undefined && io.stdout.isTTY;
    const shown = (piece: string) => (isTerminal ? visibleLines(redact(piece)) : redact(piece));
    const visitor = values.json ? new JsonExport(target) : new MarkdownExport(target, shown);
    const warnings = await visitConversation(path, visitor);
    visitor.end();
    if (file !== undefined) await new Promise<void>((done) => target.end(done));
    for (const warning of warnings) io.stderr.write(`${programName()}: ${visibleLines(warning)}\n`);
    return exitCodes.ok;
  },
});

/** Writes a session as one HTML file. */
async function exportHtml(
  { id, path, file }: { id: string; path: string; file: string | undefined },
  io: CommandIo,
): Promise<number> {
  if (file === undefined && io.stdout.isTTY) {
    throw new UsageError("An HTML export is long: name a FILE, or redirect the output");
  }
  const [{ toHtml }, { readAllTurns }] = await Promise.all([
    import("./to-html.js"),
    import("../../../server/history/history.js"),
  ]);
  const [head, turns, names] = await Promise.all([
    readHead(path),
    readAllTurns({ path, runningId: undefined }),
    readThreadNames(codexHome(io.env)),
  ]);
  const facts = await readThreadFacts(path);
  const title = (names.get(id) ?? facts?.preview ?? "").trim() || `Session ${id}`;
  const createdAt = Math.floor(Date.parse(head.meta?.timestamp ?? "") / 1000) || 0;
  const thread = { id, title: title.slice(0, 200), cwd: head.meta?.cwd ?? "", createdAt, turns };
  const html = await toHtml(thread, io.env);
  const target = file === undefined ? io.stdout : await openNew(file);
  await new Promise<void>((done, failed) => {
    target.once("error", failed);
    if (file === undefined) target.write(html, () => done());
    else target.end(html, done);
  });
  return exitCodes.ok;
}

/** Opens a file for writing; fails if it exists. */
async function openNew(file: string): Promise<Writable> {
  const stream = createWriteStream(file, { flags: "wx", mode: 0o600 });
  try {
    await once(stream, "open");
  } catch (error) {
    const reason =
      errorCode(error) === "EEXIST"
        ? `${file} exists already: name another FILE, or remove it`
        : `Cannot write ${file}: ${errorText(error)}`;
    throw new CodexError("io", reason, { cause: error });
  }
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
