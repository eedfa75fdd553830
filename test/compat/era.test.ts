import { expect, test } from "vitest";
import { currentBehaviors, type Delta } from "../../src/compat/behavior/index.js";
import { since42, since45, since104, since166 } from "../../src/compat/deltas.js";
import { sinceCurrent } from "../../src/compat/deviations.js";
import { type Era, eraNamed, eraNames, eraOf, rpcEra } from "../../src/compat/index.js";

test("eras are listed oldest first, with the version each is compatible with", () => {
  expect(eraNames.map((name) => [name, eraOf(name).compatibleWith, eraOf(name).config])).toEqual([
    ["0.39", "0.39.0", "2025-09"],
    ["0.42", "0.42.0", "2025-10"],
    ["0.45", "0.45.0", "2025-10"],
    ["0.104", "0.104.0", "2026-02"],
    ["0.166", "0.166.0", "2026-11"],
    ["current", "0.166.0", "current"],
  ]);
});

test.each([
  ["0.166", "current", sinceCurrent],
  ["0.104", "0.166", since166],
  ["0.45", "0.104", since104],
  ["0.42", "0.45", since45],
  ["0.39", "0.42", since42],
] as const)("%s differs from %s in its delta only", (name, successor, delta) => {
  const older = groups(eraOf(name));
  const newer = groups(eraOf(successor));

  for (const [group, switches] of Object.entries(older)) {
    expect(switches, group).toEqual({ ...newer[group], ...(delta as Delta)[group as keyof Delta] });
  }
});

test.each([
  ["0.166", "current", sinceCurrent],
  ["0.104", "0.166", since166],
  ["0.45", "0.104", since104],
  ["0.42", "0.45", since45],
] as const)("the delta of %s repeats no value of %s", (_name, successor, delta) => {
  const newer = groups(eraOf(successor));

  const same = Object.entries(delta).flatMap(([group, switches]) =>
    Object.entries(switches)
      .filter(([key, value]) => isSame(newer[group]?.[key], value))
      .map(([key]) => `${group}.${key}`),
  );

  expect(same).toEqual([]);
});

test.each<[read: (era: Era) => unknown, values: unknown[]]>([
  [(era) => era.exec.failureFormat, ["debug", "debug", "short", "plain", "plain", "plain"]],
  [(era) => era.exec.eventGrouping, ["run", "run", "command", "call", "call", "run"]],
  [(era) => era.exec.outputForm, ["2025-09", "2025-09", "2025-10", "2026", "2026", "2025-09"]],
  [(era) => era.model.requestForm, [...times("2025", 3), "2026-02", "2026-11", "2025"]],
  [(era) => era.model.failures, [...times("2025", 3), "2026", "2026", "server"]],
  [(era) => era.mcp.toolNames, ["server", "server", "server", "mcp", "namespace", "mcp"]],
  [
    (era) => era.engine.callOrder,
    [...times("one by one", 3), "after the response", "at once", "at once"],
  ],
  [(era) => era.engine.contextForm, [...times("2025", 3), "2026-02", "2026-11", "2025"]],
  [(era) => era.engine.failedRequest, [...times("continue", 3), "repeat", "repeat", "continue"]],
  [(era) => era.engine.recordsCalls, [...times(false, 4), true, true]],
  [(era) => era.engine.policyTag, [...times("mode", 3), "type", "type", "both"]],
  [(era) => era.execJson.opening, [...times("session.created", 2), ...times("thread.started", 4)]],
  [
    (era) => era.events.fileChange,
    [...times("keyed", 3), ...times("tagged with null", 2), "tagged"],
  ],
  [(era) => era.rpc.approvalParams, [...times("snake_case", 2), ...times("camelCase", 4)]],
  [(era) => era.v2.legacyEvents, [...times(true, 4), false, false]],
  [(era) => era.v2.idleInterrupt, [...times("done", 4), "refused", "done"]],
])("%s has its value of each version, oldest first", (read, values) => {
  expect(eraNames.map((name) => read(eraOf(name)))).toEqual(values);
});

test("our newest form locks nothing", () => {
  const { v2 } = eraOf("current");

  expect(v2.requiresExperimentalApi).toBe(false);
});

test("over JSON-RPC the newest form reports calls as items and limits by time", () => {
  const era = rpcEra(eraOf("current"));

  expect(era.exec).toMatchObject({ eventGrouping: "call" });
  expect(era.model).toMatchObject({ rateLimitFormat: "2026" });
  expect(rpcEra(eraOf("0.104"))).toEqual(eraOf("0.104"));
});

test("an era is since itself and every earlier one", () => {
  const since45 = eraNames.filter((name) => eraOf(name).since["0.45"]);

  expect(since45).toEqual(["0.45", "0.104", "0.166", "current"]);
});

test("the newest form is the default, and an era that is passed is returned", () => {
  const claimed = { ...eraOf("0.104"), compatibleWith: "0.105.1" };

  expect(eraOf()).toBe(eraNamed("current"));
  expect(eraOf().engine).toBe(currentBehaviors.engine);
  expect(eraOf(claimed)).toBe(claimed);
});

test.each(["0.40", "latest", "", "toString"])("era %j is rejected with the known names", (name) => {
  expect(eraNamed(name)).toBeUndefined();
  expect(() => eraOf(name)).toThrow(
    `Expected \`era\` to be one of "0.39", "0.42", "0.45", "0.104", "0.166", "current" (got ${JSON.stringify(name)})`,
  );
});

/** The groups of an era, by name. */
function groups(era: Era): Record<string, Record<string, unknown>> {
  const { name: _name, since: _since, compatibleWith: _version, config: _config, ...rest } = era;
  return rest as unknown as Record<string, Record<string, unknown>>;
}

function times<Value>(value: Value, count: number): Value[] {
  return Array<Value>(count).fill(value);
}

function isSame(one: unknown, other: unknown): boolean {
  const plain = (value: unknown) =>
    JSON.stringify(value instanceof Set ? [...value].sort() : value) ?? "undefined";
  return plain(one) === plain(other);
}
