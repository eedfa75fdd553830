import { expect, test } from "vitest";
import type { Connection } from "../../src/mcp/connection.js";
import { collectPages, listTools, readCallResult, readPage } from "../../src/mcp/read-results.js";

test.each<[Record<string, unknown>, unknown]>([
  [{ content: [{ type: "text", text: "x" }] }, { content: [{ type: "text", text: "x" }] }],
  [{ structuredContent: { a: 1 } }, { content: [], structuredContent: { a: 1 } }],
  [
    { content: [], isError: true, _meta: { k: 1 }, other: 1 },
    { content: [], isError: true, _meta: { k: 1 } },
  ],
  [{ content: [], isError: "yes" }, { content: [] }],
])("reads the tool result %j", (result, expected) => {
  expect(readCallResult(result)).toEqual(expected);
});

test.each<[Record<string, unknown>, string]>([
  [{}, "invalid tool result: `content` is missing"],
  [{ content: "text" }, "invalid tool result: `content` must be a list"],
  [{ content: [{ text: "x" }] }, "invalid tool result: `content` must be a list"],
  [{ content: [null] }, "invalid tool result: `content` must be a list"],
])("rejects the tool result %j", (result, message) => {
  expect(() => readCallResult(result)).toThrow(message);
});

test("reads a page with its cursor", () => {
  expect(readPage({ tools: [1], nextCursor: "n" }, "tools")).toEqual({
    entries: [1],
    nextCursor: "n",
  });
  expect(readPage({ tools: [], nextCursor: null }, "tools")).toEqual({ entries: [] });
  expect(() => readPage({ tools: {} }, "tools")).toThrow("the server's result has no list `tools`");
});

/** Serves pages of one entry each; `next` names the cursor of the following page. */
function pages(next: (n: number) => string | undefined) {
  const asked: unknown[] = [];
  const send = async (params: Record<string, unknown>) => {
    asked.push(params.cursor);
    const nextCursor = next(asked.length);
    return { list: [asked.length], ...(nextCursor === undefined ? {} : { nextCursor }) };
  };
  return { asked, send };
}

test("collects all pages in order", async () => {
  const { asked, send } = pages((n) => (n < 3 ? `p${n}` : undefined));

  expect(await collectPages(send, "list")).toEqual([1, 2, 3]);
  expect(asked).toEqual([undefined, "p1", "p2"]);
});

test("stops at a repeated cursor, and after a hundred pages", async () => {
  const same = pages(() => "again");
  const endless = pages((n) => `p${n}`);

  expect(await collectPages(same.send, "list")).toEqual([1, 2]);
  expect(await collectPages(endless.send, "list")).toHaveLength(101);
});

/** A connection that answers `tools/list` only. */
function connection(answer: () => Record<string, unknown>): Connection {
  return { request: async () => answer() } as unknown as Connection;
}

const signal = new AbortController().signal;
const tool = (name: unknown, more: object = {}) => ({ name, inputSchema: {}, ...more });

test("retains known fields of tools and skips invalid ones with a reason", async () => {
  const tools = [
    tool("a", { title: "A", description: "d", outputSchema: {}, annotations: {}, extra: 1 }),
    tool("b", { title: 7, description: null, outputSchema: "x" }),
    "no object",
    tool(""),
    { name: "c" },
    tool("d", { description: "x".repeat(200_000) }),
  ];

  expect(
    await listTools(
      connection(() => ({ tools })),
      signal,
    ),
  ).toEqual({
    tools: [
      {
        name: "a",
        title: "A",
        description: "d",
        inputSchema: {},
        outputSchema: {},
        annotations: {},
      },
      { name: "b", inputSchema: {} },
    ],
    problems: [
      "tool 2 was skipped: it is not an object",
      "tool 3 was skipped: it has no name",
      "tool 4 was skipped: its inputSchema is not an object",
      "tool 5 was skipped: it is too large",
    ],
  });
});

test("a list is cut after a thousand tools", async () => {
  const tools = Array.from({ length: 1_200 }, (_, n) => tool(`t${n}`));

  const read = await listTools(
    connection(() => ({ tools })),
    signal,
  );

  expect(read.tools).toHaveLength(1_000);
  expect(read.problems).toEqual(["200 tools were skipped: the list is too long"]);
});

test("a server without tools/list has no tools; other errors are thrown", async () => {
  const unknown = connection(() => {
    throw Object.assign(new Error("no such method"), { code: -32601 });
  });
  const broken = connection(() => {
    throw new Error("broken");
  });

  expect(await listTools(unknown, signal)).toEqual({ tools: [], problems: [] });
  await expect(listTools(broken, signal)).rejects.toThrow("broken");
});
