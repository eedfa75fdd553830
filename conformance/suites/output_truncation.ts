import { isDeepStrictEqual } from "node:util";
import { aggregateOutput, OutputCapture, shortCapture } from "../../src/exec/capture.js";
import {
  approxTokenCount,
  approxTokens,
  formattedOutput,
  mergeAndTruncateItems,
  type OutputItem,
  type OutputLimit,
  outputLimitFor,
  plainOutput,
  runCommand,
  truncateAtLineEnds,
  truncateItems,
  truncateText,
  truncateWithNotice,
} from "../../src/exec/index.js";
import { truncateTokens } from "../../src/exec/truncate.js";
import { HeadTailBuffer } from "../../src/lib/head-tail-buffer.js";
import { splitText } from "../../src/lib/text.js";
import { CodexError } from "../../src/protocol/error.js";
import { isRecord } from "../../src/protocol/read/check.js";
import { createSandbox } from "../../src/sandbox/index.js";
import { CannotRun, type SuiteAdapter, type SuiteCase, type SuiteContext } from "../suite.js";

/** Truncation of outputs for the model and for clients. */
export const suite: SuiteAdapter = {
  name: "output_truncation",
  async run(testCase, context) {
    const known = functions[testCase.fn ?? ""];
    if (known === undefined) throw new CannotRun(`unknown function ${testCase.fn}`);
    const got = await known(testCase as TruncationCase, context);
    return differs(got, testCase.expect);
  },
};

interface TruncationCase extends SuiteCase {
  text: string;
  policy: OutputLimit;
  items: OutputItem[];
  stdout: RepeatedByte;
  stderr: RepeatedByte;
  args: { command: string; timeout_ms?: number };
  [field: string]: unknown;
}

interface RepeatedByte {
  byte: string;
  len: number;
}

type Run = (testCase: TruncationCase, context: SuiteContext) => unknown;

const functions: Record<string, Run> = {
  formatted_truncate: ({ text, policy, rev }) =>
    truncateWithNotice(text, policy, { tokenNotice: rev === "head" }),
  truncate_text: ({ text, policy }) => truncateText(text, policy),
  truncate_middle_chars: ({ text, max_bytes }) =>
    truncateText(text, { mode: "bytes", limit: Number(max_bytes) }),
  truncate_middle_bytes: ({ text, max_bytes }) =>
    truncateText(text, { mode: "bytes", limit: Number(max_bytes) }),
  truncate_middle_tokens: ({ text, max_tokens }) =>
    withTokens(truncateTokens(text, Number(max_tokens))),
  approx_tokens_from_bytes: ({ bytes }) => approxTokens(Number(bytes)),
  approx_token_count: ({ text }) => approxTokenCount(text),
  split_string({ text, head_bytes, tail_bytes }) {
    const { head, tail, removedChars } = splitText(text, Number(head_bytes), Number(tail_bytes));
    return { removed_chars: removedChars, head, tail };
  },
  truncate_items: ({ items, policy }) => ({ items: truncateItems(items, policy) }),
  formatted_truncate_items({ items, policy }) {
    const { originalTokens, ...rest } = mergeAndTruncateItems(items, policy);
    return { ...rest, original_tokens: originalTokens ?? null };
  },
  truncate_middle_v39: ({ text, max_bytes }) =>
    withTokens(truncateAtLineEnds(text, Number(max_bytes))),
  format_exec_output_v39: ({ text, timed_out, duration_ms }) =>
    formattedOutput(
      {
        aggregated: text,
        timedOut: timed_out === true,
        durationMs: Number(duration_ms ?? 0),
        exitCode: 0,
      },
      { by: "lines" },
    ),
  aggregate_output({ stdout, stderr, cap_bytes }) {
    const bytes = aggregateOutput(repeated(stdout), repeated(stderr), Number(cap_bytes));
    return runsOf(bytes);
  },
  stream_cap({ bytes }) {
    const capture = new OutputCapture(shortCapture);
    capture.push("stdout", Buffer.alloc(Number(bytes), "a"));
    return { retained: capture.text().stdout.length };
  },
  head_tail_buffer({ max, chunks }) {
    const buffer = HeadTailBuffer.halves(Number(max));
    for (const chunk of chunks as string[]) buffer.push(Buffer.from(chunk));
    const text = buffer.bytes().toString();
    return { text, bytes: text, retained: buffer.size, omitted: buffer.omitted };
  },
  shell_command: ({ args, model, tool_output_token_limit }, { dir }) =>
    runShell(
      args,
      dir,
      outputLimitFor(String(model), tool_output_token_limit as number | undefined),
    ),
};

async function runShell(
  { command, timeout_ms }: TruncationCase["args"],
  dir: string,
  limit: OutputLimit,
): Promise<string> {
  const sandbox = createSandbox({
    platform: process.platform,
    arch: process.arch,
    env: {},
    stateDir: dir,
  });
  const launch = await sandbox.prepare({
    argv: ["/bin/sh", "-c", command],
    cwd: dir,
    policy: { mode: "danger-full-access" },
    env: { PATH: process.env.PATH ?? "" },
  });
  if (launch instanceof CodexError) throw launch;
  const result = await runCommand({
    launch,
    ...(timeout_ms === undefined ? {} : { timeoutMs: timeout_ms }),
  });
  return plainOutput(result, limit);
}

function withTokens({ text, originalTokens }: { text: string; originalTokens?: number }) {
  return { text, original_tokens: originalTokens ?? null };
}

function repeated({ byte, len }: RepeatedByte): Buffer {
  return Buffer.alloc(len, byte);
}

function runsOf(bytes: Buffer): RepeatedByte[] {
  const parts = bytes.toString("latin1").match(/(.)\1*/gs) ?? [];
  return parts.map((part) => ({ byte: part[0] ?? "", len: part.length }));
}

/** Compares with a value, or with the conditions a case states of a text. */
function differs(got: unknown, expected: unknown): string | undefined {
  if (!isRecord(expected))
    return isDeepStrictEqual(got, expected) ? undefined : shown(got, expected);
  const text = isRecord(got) ? String(got.text) : String(got);
  for (const [key, value] of Object.entries(expected)) {
    const condition = conditions[key];
    const met =
      condition === undefined
        ? isRecord(got) && isDeepStrictEqual(got[key], value)
        : condition(text, value);
    if (!met) return `${key}: ${shown(got, value)}`;
  }
  return undefined;
}

const conditions: Record<string, (text: string, value: unknown) => boolean> = {
  equals: (text, value) => text === value,
  starts_with: (text, value) => text.startsWith(String(value)),
  ends_with: (text, value) => text.endsWith(String(value)),
  contains: (text, value) => text.includes(String(value)),
  not_contains: (text, value) => !text.includes(String(value)),
  regex: (text, value) => toRegExp(String(value)).test(text),
  len_between(text, value) {
    const [least = 0, most = 0] = value as number[];
    return text.length >= least && text.length <= most;
  },
  count_of(text, value) {
    const { text: part, n } = value as { text: string; n: number };
    return text.split(part).length - 1 === n;
  },
};

/** The suites' patterns start with flags in parentheses, which JavaScript writes elsewhere. */
function toRegExp(pattern: string): RegExp {
  const [, flags = "", body = pattern] = /^\(\?([a-z]+)\)(.*)$/s.exec(pattern) ?? [];
  return new RegExp(body, `u${flags}`);
}

function shown(got: unknown, expected: unknown): string {
  const short = (value: unknown) => String(JSON.stringify(value)).slice(0, 300);
  return `got ${short(got)}, expected ${short(expected)}`;
}
