import { describe, expect, test } from "vitest";
import { History } from "../../src/engine/history.js";
import type { ResponseItem } from "../../src/protocol/types.js";

function item(text: string): ResponseItem {
  return { type: "message", role: "user", content: [{ type: "input_text", text }] };
}

const [a, b, c, d] = ["a", "b", "c", "d"].map(item) as [
  ResponseItem,
  ResponseItem,
  ResponseItem,
  ResponseItem,
];

describe("History", () => {
  test("without a bookmark everything is new to the model", () => {
    const history = new History();
    history.append([a, b]);

    expect(history.lastResponseId).toBeUndefined();
    expect(history.sinceLastResponse()).toEqual([a, b]);
  });

  test("after a response only its outputs and later items are new", () => {
    const history = new History();
    history.append([a, b]);
    history.bookmark("r1", [b]);
    history.append([c]);

    expect(history.lastResponseId).toBe("r1");
    expect(history.sinceLastResponse()).toEqual([b, c]);
  });

  test("returning to a bookmark drops later items, and both branches stay valid", () => {
    const history = new History();
    history.append([a]);
    history.bookmark("r1", []);
    history.append([b]);
    history.bookmark("r2", []);

    expect(history.returnTo("r1")).toBe(true);
    history.append([c]);
    expect(history.items).toEqual([a, c]);

    expect(history.returnTo("r2")).toBe(true);
    expect(history.items).toEqual([a, b]);
    history.append([d]);
    expect(history.returnTo("r1")).toBe(true);
    expect(history.items).toEqual([a]);
  });

  test("an unknown bookmark changes nothing", () => {
    const history = new History();
    history.append([a]);

    expect(history.returnTo("nowhere")).toBe(false);
    expect(history.has("nowhere")).toBe(false);
    expect(history.items).toEqual([a]);
  });

  test("truncating forgets the last response, but not its bookmark", () => {
    const history = new History();
    history.append([a, b]);
    history.bookmark("r1", []);
    history.truncate(1);

    expect(history.items).toEqual([a]);
    expect(history.lastResponseId).toBeUndefined();
    expect(history.newestResponseId).toBeUndefined();
    expect(history.returnTo("r1")).toBe(true);
    expect(history.items).toEqual([a, b]);
  });

  test("compaction replaces the items and keeps the newest response id for aborts", () => {
    const history = new History();
    history.append([a, b]);
    history.bookmark("r1", []);
    history.replace([c]);

    expect(history.items).toEqual([c]);
    expect(history.lastResponseId).toBeUndefined();
    expect(history.newestResponseId).toBe("r1");
    expect(history.has("r1")).toBe(true);
  });

  test("a response that only the provider has is remembered as such per branch", () => {
    const history = new History();
    history.append([a]);
    history.bookmark("local", []);
    history.replace([]);
    history.bookmarkStored("stored");
    expect(history.isOnlyStored).toBe(true);

    history.returnTo("local");
    expect(history.isOnlyStored).toBe(false);
    history.returnTo("stored");
    expect(history.isOnlyStored).toBe(true);
  });

  test("restoring takes over items and those bookmarks whose position is known", () => {
    const history = new History();
    history.restore(
      [a, b],
      new Map([
        ["r1", { length: 1 }],
        ["old", {}],
      ]),
      {
        lastResponseId: "r1",
        isOnlyStored: false,
      },
    );

    expect(history.has("old")).toBe(false);
    expect(history.sinceLastResponse()).toEqual([b]);
    history.append([c]);
    expect(history.returnTo("r1")).toBe(true);
    expect(history.items).toEqual([a]);
  });
});
