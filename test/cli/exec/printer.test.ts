import { describe, expect, test } from "vitest";
import type { OpenedThread } from "../../../src/cli/exec/connect.js";
import { jsonPrinter } from "../../../src/cli/exec/printer.js";
import type { ServerNotification } from "../../../src/client/index.js";
import { eraNamed } from "../../../src/compat/index.js";
import { createIo } from "../support/in-process.js";

/** Prints JSON Lines in the format of the newest era. */
function createPrinter() {
  const { io, written } = createIo({});
  const era = eraNamed("current");
  if (era === undefined) throw new Error("no era");
  const printer = jsonPrinter(io, era.execJson);
  const send = (method: string, params: object) =>
    printer.notification({ method, params } as unknown as ServerNotification);
  const events = () =>
    written.stdout
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as { type: string });
  return { printer, send, events, written };
}

describe("events as JSON Lines", () => {
  test("start with the thread", () => {
    const { printer, events } = createPrinter();
    printer.begin({ thread: { id: "t1" } } as unknown as OpenedThread, "prompt");

    expect(events()).toEqual([{ type: "thread.started", thread_id: "t1" }]);
  });

  test("have messages of the model, one line each", () => {
    const { send, events, written } = createPrinter();
    send("turn/started", { threadId: "t", turn: { id: "1" } });
    send("item/completed", {
      threadId: "t",
      turnId: "1",
      item: { type: "agentMessage", id: "m", text: "two\nlines" },
    });

    expect(events().at(-1)).toMatchObject({
      type: "item.completed",
      item: { type: "agent_message", text: "two\nlines" },
    });
    expect(written.stdout.endsWith("\n")).toBe(true);
    expect(written.stderr).toBe("");
  });

  test("have warnings of the program", () => {
    const { printer, events } = createPrinter();
    printer.warn("declined");

    expect(JSON.stringify(events())).toContain("declined");
  });

  test("do not have warnings about the config, which go to standard error", () => {
    const { printer, send, events, written } = createPrinter();
    send("configWarning", { summary: "s", details: "d" });
    send("configWarning", { summary: "alone", details: null });
    printer.end("message");

    expect(events()).toEqual([]);
    expect(written.stderr).toBe("warning: s (d)\nwarning: alone\n");
  });
});
