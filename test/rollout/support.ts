import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { ResponseItem, SessionMetaLine } from "../../src/protocol/types.js";

/** A home folder that is removed when the test ends. */
export interface TestHome extends AsyncDisposable {
  path: string;
  /** Writes lines to a file below the home and returns its path; strings are written verbatim. */
  write(name: string, lines: readonly unknown[]): string;
  append(name: string, text: string | Uint8Array): void;
}

export async function temporaryHome(): Promise<TestHome> {
  const path = await realpath(await mkdtemp(join(tmpdir(), "quire-rollout-")));
  return {
    path,
    write(name, lines) {
      const file = join(path, name);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, lines.map(toText).join(""));
      return file;
    },
    append: (name, text) => appendFileSync(join(path, name), text),
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }),
  };
}

function toText(line: unknown): string {
  return typeof line === "string" ? line : `${JSON.stringify(line)}\n`;
}

export const id = "0192c7a1-0000-7000-8000-000000000001";

export function line(type: string, payload: unknown): object {
  return { timestamp: "2025-01-01T00:00:00.000Z", type, payload };
}

export function meta(more: Partial<SessionMetaLine> = {}): object {
  return line("session_meta", metaOf(more));
}

export function metaOf(more: Partial<SessionMetaLine> = {}): SessionMetaLine {
  return {
    id,
    timestamp: "2025-01-01T00:00:00.000Z",
    cwd: "/w",
    originator: "test",
    cli_version: "0.104.0",
    instructions: null,
    ...more,
  };
}

export function message(role: string, text: string): ResponseItem {
  const type = role === "assistant" ? "output_text" : "input_text";
  return { type: "message", role, content: [{ type, text }] };
}

/** Lines of an item and, for a message, of its event. */
export function said(role: "user" | "assistant", text: string): object[] {
  const event =
    role === "user"
      ? { type: "user_message", message: text, kind: "plain" }
      : { type: "agent_message", message: text };
  return [item(message(role, text)), line("event_msg", event)];
}

export function item(payload: ResponseItem): object {
  return line("response_item", payload);
}

export function event(type: string, fields: object = {}): object {
  return line("event_msg", { type, ...fields });
}

/** Texts of messages, types of other items. */
export function texts(items: readonly ResponseItem[]): string[] {
  return items.map((one) =>
    one.type === "message"
      ? one.content.map((part) => ("text" in part ? part.text : "")).join("")
      : one.type,
  );
}
