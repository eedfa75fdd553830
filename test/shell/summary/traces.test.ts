import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import {
  latestRules,
  type ParsedCommandRules,
  parseCommand,
  rulesOf2025,
  rulesOf2026,
} from "../../../src/shell/index.js";

const traces = resolve(import.meta.dirname, "../../../../shared/traces");

const folders: [string, ParsedCommandRules][] = [
  ["proto", rulesOf2025],
  ["mcp", rulesOf2025],
  ["app-server-v1", rulesOf2025],
  ["app-server", rulesOf2026],
  ["app-server-166", latestRules],
];

interface Recorded {
  command: string[];
  parsed_cmd: Record<string, unknown>[];
}

describe.skipIf(!existsSync(traces))("the recorded summaries", () => {
  test.each(folders)("of %s are ours too", (folder, rules) => {
    const recorded = recordedIn(join(traces, folder));

    const ours = recorded.map(({ command }) => parseCommand(command, rules));

    expect(ours).toEqual(recorded.map(({ parsed_cmd }) => parsed_cmd));
  });

  test("of the rollouts written by 0.166 are ours too", () => {
    const recorded = recordedIn(join(traces, "rollout")).filter(
      ({ command }) => command[0] === "/bin/bash",
    );

    expect(recorded.length).toBeGreaterThan(0);
    expect(recorded.map(({ command }) => parseCommand(command, latestRules))).toEqual(
      recorded.map(({ parsed_cmd }) => parsed_cmd),
    );
  });

  test("are there to compare with", () => {
    expect(recordedIn(join(traces, "proto")).length).toBeGreaterThan(30);
    expect(recordedIn(join(traces, "app-server")).length).toBeGreaterThan(10);
  });
});

/** Returns every `exec_command_begin` in the traces of a folder; treats `null` as absent. */
function recordedIn(folder: string): Recorded[] {
  const found: Recorded[] = [];
  const collect = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    const { command, parsed_cmd } = value as Partial<Recorded>;
    if (Array.isArray(command) && Array.isArray(parsed_cmd)) {
      found.push({ command, parsed_cmd: parsed_cmd.map(withoutNulls) });
    }
    for (const inner of Object.values(value)) collect(inner);
  };
  for (const file of readdirSync(folder)) {
    if (!file.endsWith(".jsonl")) continue;
    for (const line of readFileSync(join(folder, file), "utf8").split("\n")) {
      if (line.includes("parsed_cmd")) collect(JSON.parse(line));
    }
  }
  return found;
}

function withoutNulls(command: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(command).filter(([, value]) => value !== null));
}
