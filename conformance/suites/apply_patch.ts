import { join, relative, resolve } from "node:path";
import { Readable, Writable } from "node:stream";
import { runApplyPatch } from "../../src/cli/commands/apply-patch.js";
import {
  applySections,
  commandLineText,
  type Hunk,
  newLines,
  oldLines,
  type PatchError,
  PatchStream,
  parsePatch,
  recognizePatchCall,
  type UpdateChunk,
  verifyPatch,
} from "../../src/patch/index.js";
import { LineFinder } from "../../src/patch/line-finder.js";
import { CannotRun, type SuiteAdapter, type SuiteCase } from "../suite.js";
import { type CaseFiles, compareFiles, inFolder, runSetup, writeCaseFiles } from "./case-files.js";
import { differs } from "./differs.js";

/** Reading, checking and applying patches. */
export const suite: SuiteAdapter = {
  name: "apply_patch",
  async run(testCase, { dir }) {
    const run = kinds[testCase.kind ?? ""];
    if (!run) throw new CannotRun(`unknown kind ${testCase.kind}`);
    const filled = JSON.parse(JSON.stringify(testCase).replaceAll("$" + "{DIR}", dir)) as PatchCase;
    await writeCaseFiles(dir, filled.input_files);
    await runSetup(dir, filled.setup);
    return run(filled, dir);
  },
};

interface PatchCase extends SuiteCase {
  patch: string;
  mode?: string;
  setup?: string;
  stdin?: boolean;
  input_files?: CaseFiles;
  argv: string[];
  lines: string[];
  pattern: string[];
  start: number;
  eof: boolean;
  line_number: number;
  steps: { push?: string; finish?: boolean; hunks?: unknown; error?: unknown }[];
  expect: Record<string, unknown> & { ok?: boolean; files?: CaseFiles; complete?: boolean };
}

type Run = (testCase: PatchCase, dir: string) => Promise<string | undefined> | string | undefined;

const kinds: Record<string, Run> = {
  apply: runApply,
  unified_diff: runUnifiedDiff,
  parse: runParse,
  streaming_parse: runStreaming,
  seek_sequence: runSeek,
  parse_update_file_chunk: runChunk,
  parse_one_hunk: runOneHunk,
  invocation: runInvocation,
  invocation_verified: runVerified,
};

async function runApply(testCase: PatchCase, dir: string): Promise<string | undefined> {
  const { expect } = testCase;
  requireInside(testCase.patch, dir);
  const got = await apply(testCase, dir);
  const wrongFiles = await compareFiles(dir, expect.files, expect.complete);
  if (wrongFiles) return wrongFiles;
  const outputs = { stdout: expect.stdout ?? got.stdout, stderr: expect.stderr ?? got.stderr };
  return differs(got, { ok: expect.ok, ...outputs });
}

/** The product applies the patch, to any path the patch names. */
function requireInside(patch: string, dir: string): void {
  const parsed = parsePatch(patch);
  for (const hunk of parsed.ok ? parsed.patch.hunks : []) {
    const paths = [hunk.path, ...(hunk.type === "update" ? [hunk.movePath ?? hunk.path] : [])];
    for (const path of paths) inFolder(dir, relative(dir, resolve(dir, path)));
  }
}

async function apply({ patch, mode, stdin }: PatchCase, dir: string) {
  if (mode === "normalize_to_lf") {
    const parsed = parsePatch(patch);
    if (!parsed.ok) return { ok: false, stdout: "", stderr: `${commandLineText(parsed.error)}\n` };
    const outcome = await applySections(parsed.patch.hunks, { cwd: dir, lineEndings: "lf" });
    return { ok: outcome.ok, stdout: outcome.stdout, stderr: outcome.stderr };
  }
  const output = { stdout: "", stderr: "" };
  const collect = (name: "stdout" | "stderr") =>
    new Writable({
      write(chunk, _encoding, done) {
        output[name] += String(chunk);
        done();
      },
    });
  const code = await runApplyPatch(stdin ? [] : [patch], {
    stdin: Readable.from([patch]),
    stdout: collect("stdout"),
    stderr: collect("stderr"),
    cwd: dir,
  });
  return { ok: code === 0, ...output };
}

async function runUnifiedDiff({ patch, expect }: PatchCase, dir: string) {
  const parsed = parsePatch(patch);
  if (!parsed.ok) return `no patch: ${parsed.error.message}`;
  const verified = await verifyPatch(parsed.patch.hunks, { cwd: dir });
  if (!verified.ok) return differs({ ok: false }, expect);
  const [change] = Object.values(verified.patch.changes);
  const unified_diff = change?.type === "update" ? change.unified_diff : undefined;
  return differs({ unified_diff, content: verified.patch.edits[0]?.after, ok: true }, expect);
}

function runParse({ patch, mode, expect }: PatchCase) {
  const parsed = parsePatch(patch, { mode: mode === "strict" ? "strict" : "lenient" });
  if (!parsed.ok) return differs({ ok: false, error: toError(parsed.error) }, expect);
  const { text, hunks, environmentId } = parsed.patch;
  const all = { ok: true, hunks: hunks.map(toHunk), patch: text, environment_id: environmentId };
  return differs(pick(all, expect), expect);
}

function runStreaming({ steps }: PatchCase) {
  const stream = new PatchStream();
  for (const [index, step] of steps.entries()) {
    const error = step.finish ? stream.finish() : stream.push(step.push ?? "");
    const expected = step.error ? { error: step.error } : { hunks: step.hunks };
    const got = error ? { error: toError(error) } : { hunks: stream.hunks.map(toHunk) };
    const difference = differs(got, expected);
    if (difference) return `step ${index}: ${difference}`;
  }
  return undefined;
}

function runSeek({ lines, pattern, start, eof, expect }: PatchCase) {
  const index = new LineFinder(lines).find(pattern, { start, atEnd: eof });
  return differs({ index: index ?? null }, expect);
}

/** A chunk is read as the second one of a section, since only the first may lack its `@@`. */
function runChunk({ lines, line_number, expect }: PatchCase) {
  const before = ["*** Begin Patch", "*** Update File: f", "@@", "+x"];
  const { stream, consumed, error } = readLines(before, lines, (hunks) => {
    const [hunk, next] = hunks;
    return next || hunk?.type !== "update" ? undefined : JSON.stringify(hunk.chunks[1] ?? null);
  });
  if (error) return differs(failure(error, line_number - before.length - 1), expect);
  const [hunk] = stream.hunks;
  const chunk = hunk?.type === "update" ? hunk.chunks[1] : undefined;
  const all = { ok: true, chunk: chunk && toChunk(chunk), lines_consumed: consumed };
  return differs(pick(all, expect), expect);
}

function runOneHunk({ lines, line_number, expect }: PatchCase) {
  const before = ["*** Begin Patch"];
  const { stream, consumed, error } = readLines(before, lines, ([hunk, next]) =>
    next ? undefined : JSON.stringify(hunk ?? null),
  );
  if (error) return differs(failure(error, line_number - before.length - 1), expect);
  const [hunk] = stream.hunks;
  const all = { ok: true, hunk: hunk && toHunk(hunk), lines_consumed: consumed };
  return differs(pick(all, expect), expect);
}

/** Reads lines until they no longer add to the part of the patch that `part` shows. */
function readLines(
  before: string[],
  lines: string[],
  part: (hunks: Hunk[]) => string | undefined,
): { stream: PatchStream; consumed: number; error?: PatchError } {
  let stream = new PatchStream();
  for (let consumed = 0; ; consumed++) {
    const next = new PatchStream();
    const text = [...before, ...lines.slice(0, consumed), ""].join("\n");
    const error = next.push(text);
    if (error) return { stream, consumed, error };
    if (consumed > 0 && part(next.hunks) === part(stream.hunks)) {
      return { stream, consumed: consumed - 1 };
    }
    stream = next;
    if (consumed < lines.length) continue;
    const unfinished = next.push("*** End Patch\n");
    return unfinished ? { stream, consumed, error: unfinished } : { stream, consumed };
  }
}

function runInvocation({ argv, expect }: PatchCase) {
  const call = recognizePatchCall(argv);
  if (call.kind === "patch") {
    const hunks = call.patch.hunks.map(toHunk);
    return differs(pick({ match: true, hunks, workdir: call.workdir ?? null }, expect), expect);
  }
  if (call.kind === "implicit") {
    return differs({ match: false, error: { kind: "implicit_invocation" } }, expect);
  }
  if (call.kind === "none") return differs({ match: false }, expect);
  return differs(pick({ match: false, error: toError(call.error) }, expect), expect);
}

async function runVerified({ argv, expect }: PatchCase, dir: string) {
  const call = recognizePatchCall(argv);
  if (call.kind !== "patch") return differs({ ok: false }, expect);
  const cwd = resolve(dir, call.workdir ?? "");
  const verified = await verifyPatch(call.patch.hunks, { cwd });
  if (!verified.ok) return differs({ ok: false }, expect);
  const wanted = (expect.changes ?? {}) as Record<string, Record<string, unknown>>;
  const changes = Object.fromEntries(
    Object.entries(verified.patch.changes).map(([path, change]) => [
      path,
      pick({ ...change }, wanted[path] ?? change),
    ]),
  );
  return differs(pick({ ok: true, cwd: join(verified.patch.cwd), changes }, expect), expect);
}

function toHunk(hunk: Hunk) {
  if (hunk.type !== "update") return hunk;
  const { type, path, movePath, chunks } = hunk;
  const move = movePath === undefined ? {} : { move_path: movePath };
  return { type, path, ...move, chunks: chunks.map(toChunk) };
}

function toChunk(chunk: UpdateChunk) {
  return {
    change_context: chunk.context ?? null,
    old_lines: oldLines(chunk),
    new_lines: newLines(chunk),
    is_end_of_file: chunk.endOfFile,
  };
}

function failure(error: PatchError, shift: number) {
  const lineNumber = error.lineNumber === undefined ? {} : { lineNumber: error.lineNumber + shift };
  return { ok: false, error: toError({ ...error, ...lineNumber }) };
}

function toError({ kind, message, lineNumber }: PatchError) {
  return { kind, message, ...(lineNumber === undefined ? {} : { line_number: lineNumber }) };
}

/** Cases state only the fields they are about. */
function pick(value: Record<string, unknown>, expected: object): Record<string, unknown> {
  return Object.fromEntries(Object.keys(expected).map((key) => [key, value[key]]));
}
