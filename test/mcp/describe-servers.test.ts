import { expect, test } from "vitest";
import { collectStartup, describeServers, listResources } from "../../src/mcp/describe-servers.js";
import type { SessionServer } from "../../src/mcp/session-server.js";
import type { McpStartupStatus } from "../../src/protocol/types.js";

/** Servers by name, from the members that a test needs. */
function servers(all: Record<string, object>): ReadonlyMap<string, SessionServer> {
  return new Map(Object.entries(all)) as unknown as ReadonlyMap<string, SessionServer>;
}

const tool = (name: string) => ({ name, inputSchema: {} });

/** Serves the entries one per page. */
function paged(entries: unknown[]) {
  return async (_kind: string, { cursor = "0" }: { cursor?: string }) => {
    const at = Number(cursor);
    const isLast = at + 1 >= entries.length;
    return { entries: entries.slice(at, at + 1), ...(isLast ? {} : { nextCursor: `${at + 1}` }) };
  };
}

const broken = async () => {
  throw new Error("broken");
};

test("lists resources of all servers, page by page, without those that fail", async () => {
  const all = servers({
    a: { resourcePage: paged([1, 2, 3]) },
    b: { resourcePage: broken },
    c: { resourcePage: paged([]) },
  });

  expect(await listResources(all, "resources")).toEqual(
    new Map([
      ["a", [1, 2, 3]],
      ["c", []],
    ]),
  );
});

test("an aborted list rejects with the reason of its signal", async () => {
  const abort = new AbortController();
  abort.abort(new Error("given up"));

  await expect(
    listResources(servers({ a: { resourcePage: broken } }), "resources", abort.signal),
  ).rejects.toThrow("given up");
});

test("describes servers by their tools, resources and state", async () => {
  const facts = { capabilities: {}, info: { name: "A" } };
  const all = servers({
    a: { tools: [tool("x"), tool("y")], resourcePage: paged(["r"]), facts },
    b: { tools: [], resourcePage: broken, failure: "did not start" },
  });

  const [a, b] = await describeServers(all, {});

  expect(a).toEqual({
    name: "a",
    tools: { x: tool("x"), y: tool("y") },
    resources: ["r"],
    resourceTemplates: ["r"],
    facts,
    failure: undefined,
  });
  expect(b).toMatchObject({ tools: {}, resources: [], failure: "did not start" });
});

test("resources are requested only if wanted", async () => {
  const resourcePage = () => {
    throw new Error("must not be called");
  };
  const all = servers({ a: { tools: [], resourcePage } });

  expect(await describeServers(all, { withResources: false })).toMatchObject([
    { resources: [], resourceTemplates: [] },
  ]);
});

test("collects the outcome of each start and reports it as it settles", async () => {
  const settled: [string, McpStartupStatus][] = [];
  const all = servers({
    ready: { started: Promise.resolve({ state: "ready" }) },
    failed: { started: Promise.resolve({ state: "failed", error: "text" }), isRequired: true },
    bare: {
      started: Promise.resolve({ state: "failed", error: "with prefix" }),
      reason: "why",
      isRequired: false,
    },
    closed: { started: Promise.resolve({ state: "cancelled" }) },
  });

  const outcome = await collectStartup(all, (...args) => void settled.push(args));

  expect(outcome).toEqual({
    ready: ["ready"],
    failed: [
      { server: "failed", error: "text" },
      { server: "bare", error: "why" },
    ],
    cancelled: ["closed"],
    missing: ["failed"],
  });
  expect(settled.map(([name, { state }]) => `${name} ${state}`)).toEqual([
    "ready ready",
    "failed failed",
    "bare failed",
    "closed cancelled",
  ]);
});
