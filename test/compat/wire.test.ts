import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { wireOf } from "../../src/compat/index.js";

const item = {
  type: "mcpToolCall",
  id: "1",
  pluginId: null,
  readOnlyHint: true,
  startedAtMs: 1,
  result: { content: [], structuredContent: null, _meta: null },
};
const dynamicItem = { type: "dynamicToolCall", id: "2", tool: "lookup" };
const turn = {
  id: "t1",
  items: [dynamicItem, item],
  startedAt: 1,
  responseId: "r1",
  error: { message: "No", misalignment: null },
};
const completed = { threadId: "a", turn };

test("our newest form passes every value through, unchanged and uncopied", () => {
  const wire = wireOf("current");

  expect(wire.params("turn/completed", completed)).toBe(completed);
  expect(wire.result("thread/read", completed)).toBe(completed);
});

test("0.166 lacks only fields of our own form", () => {
  const { responseId: _, ...known } = turn;
  const wire = wireOf("0.166");

  expect(wire.params("turn/completed", completed)).toEqual({ threadId: "a", turn: known });
  expect(
    wire.result("initialize", { userAgent: "x", codexHome: "/h", serverInfo: { name: "q" } }),
  ).toEqual({ userAgent: "x", codexHome: "/h" });
  expect(wire.params("item/started", { item, threadId: "a" })).toEqual({ item, threadId: "a" });
});

test.each(["0.39", "0.42", "0.45", "0.104"] as const)("%s gets v2 in the form of 0.104", (era) => {
  expect(wireOf(era).params("turn/completed", completed)).toEqual({
    threadId: "a",
    turn: {
      id: "t1",
      items: [{ type: "mcpToolCall", id: "1", result: { content: [], structuredContent: null } }],
      error: { message: "No" },
    },
  });
});

test("a notification about an item that the era does not have is absent", () => {
  const params = { item: dynamicItem, threadId: "a", turnId: "t1", startedAtMs: 1 };

  expect(wireOf("0.104").params("item/started", params)).toBeUndefined();
  expect(wireOf("0.166").params("item/started", params)).toEqual(params);
});

test("policies of 0.104 state the read access, which later versions removed", () => {
  const opened = (sandbox: object) => ({ thread: { id: "a", name: null, turns: [] }, sandbox });
  const readOnly = opened({ type: "readOnly", networkAccess: false });
  const write = opened({ type: "workspaceWrite", writableRoots: [], networkAccess: true });
  const full = { type: "fullAccess" };
  const thread = { id: "a", turns: [] };

  const encode = (value: object) => wireOf("0.104").result("thread/start", value);

  expect(encode(readOnly)).toEqual({ thread, sandbox: { type: "readOnly", access: full } });
  expect(encode(write)).toEqual({
    thread,
    sandbox: {
      type: "workspaceWrite",
      writableRoots: [],
      networkAccess: true,
      readOnlyAccess: full,
    },
  });
  expect(wireOf("0.166").result("thread/start", write)).toEqual(write);
});

test("maps and requests of the server are encoded too", () => {
  const wire = wireOf("0.104");

  expect(
    wire.result("account/rateLimits/read", {
      accountId: "x",
      rateLimits: { limitId: "a", individualLimit: null },
      rateLimitsByLimitId: { a: { limitId: "a", normalModelSlug: null } },
    }),
  ).toEqual({ rateLimits: { limitId: "a" }, rateLimitsByLimitId: { a: { limitId: "a" } } });
  expect(
    wire.params("item/fileChange/requestApproval", { itemId: "1", startedAtMs: 1, reason: null }),
  ).toEqual({ itemId: "1", reason: null });
});

test.each([
  ["warning", false, true, true],
  ["thread/status/changed", false, true, true],
  ["thread/compacted", true, false, false],
  ["turn/started", true, true, true],
])("notification %s exists in 0.104: %s, 0.166: %s, current: %s", (method, ...expected) => {
  const eras = ["0.104", "0.166", "current"] as const;

  expect(eras.map((era) => wireOf(era).has(method))).toEqual(expected);
});

test.each([
  ["collaborationMode/list", true, true],
  ["thread/start.dynamicTools", true, true],
  ["thread/start.permissions", false, true],
  ["thread/search", false, true],
  ["thread/start.model", false, false],
])("%s is experimental in 0.104: %s, 0.166: %s", (name, ...expected) => {
  const eras = ["0.104", "0.166"] as const;

  expect(eras.map((era) => wireOf(era).experimental.has(name))).toEqual(expected);
  expect(wireOf("current").experimental).toEqual(wireOf("0.166").experimental);
});

test("methods and messages without dated parts pass through in every era", () => {
  const value = { anything: [1] };

  expect(wireOf("0.104").result("fs/readFile", value)).toBe(value);
  expect(wireOf("0.104").params("item/agentMessage/delta", value)).toBe(value);
});

test("a field, variant or message that is new has a date", () => {
  const baseline = new Set(
    readFileSync(new URL("baseline.txt", import.meta.url), "utf8")
      .trim()
      .split("\n"),
  );
  const dated = new Set(
    (["0.104", "0.166", "current"] as const).flatMap((era) =>
      [...wireOf(era).absent].flatMap(([name, { fields }]) =>
        fields.map((one) => `${name}.${one}`),
      ),
    ),
  );

  const undated = partsOf("app-server")
    .filter((part) => !baseline.has(part) && !dated.has(part))
    .filter((part) => part.includes(".") || wireOf("0.104").has(part));

  // Remedy: `since("current", …)` around the field, or `since: "current"` in the declaration.
  expect(undated).toEqual([]);
});

test("an event that is new is decided on for older eras", () => {
  const baseline = new Set(
    readFileSync(new URL("baseline-events.txt", import.meta.url), "utf8")
      .trim()
      .split("\n"),
  );

  const added = eventTypes().filter((type) => !baseline.has(type));

  // Remedy: hide it in `events.hidden` of `src/compat/deviations.ts`, then add it to baseline-events.txt.
  expect(added).toEqual([]);
});

/** Notifications, and the fields of all shapes that the server sends. */
function partsOf(surface: string): string[] {
  const { messages, $defs } = readSchema(surface);
  const sent = new Set(
    messages.flatMap(({ kind, params, result }) => [kind === "method" ? result : params]),
  );
  for (const name of sent) {
    for (const [, next] of JSON.stringify($defs[name ?? ""] ?? {}).matchAll(/#\/\$defs\/(\w+)/g)) {
      sent.add(next);
    }
  }
  const fields = [...sent].flatMap((name) =>
    Object.keys($defs[name ?? ""]?.properties ?? {}).map((field) => `${name}.${field}`),
  );
  const notifications = messages.filter(({ kind }) => kind === "notification");
  return [...notifications.map(({ name }) => name), ...fields].sort();
}

function eventTypes(): string[] {
  const { $defs } = readSchema("event");
  const members = $defs.EventMsg?.oneOf ?? [];
  return members.map(({ $ref }) => {
    const shape = $defs[$ref.replace("#/$defs/", "")];
    return String(shape?.properties?.type?.const);
  });
}

interface Schema {
  messages: { kind: string; name: string; params?: string; result?: string }[];
  $defs: Record<
    string,
    { properties?: Record<string, { const?: unknown }>; oneOf?: { $ref: string }[] }
  >;
}

function readSchema(name: string): Schema {
  const file = new URL(`../../schema/${name}.schema.json`, import.meta.url);
  return JSON.parse(readFileSync(file, "utf8")) as Schema;
}
