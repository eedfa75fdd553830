import {
  createHooks,
  type HookOutcome,
  hookEventNames,
  isHookEvent,
  isTrusted,
} from "../../../hooks/index.js";
import { nearest } from "../../../lib/nearest.js";
import type { HookRun } from "../../../protocol/types.js";
import { defineCommand } from "../../command.js";
import { exitCodes, UsageError } from "../../exit-codes.js";
import { visible } from "../../print.js";
import { folderOptions, requireHooks } from "./read.js";
import { sampleCall } from "./sample.js";

/** Runs the hooks of an event with sample input. */
export const hooksTest = defineCommand({
  name: "hooks test",
  summary: "Run the hooks of an event with sample input",
  operands: "EVENT",
  mostOperands: 1,
  options: {
    tool: { type: "string", value: "NAME", default: "Bash", help: "Tool, for events of tools" },
    input: {
      type: "string",
      value: "JSON",
      help: "Arguments of the tool; for other events, fields of the input",
    },
    untrusted: { type: "boolean", help: "Also run hooks that are not trusted" },
    json: { type: "boolean", help: "Print runs and decision as JSON" },
    ...folderOptions,
  },
  details: `Events: ${hookEventNames.join(", ")}.`,
  async run({ values, positionals: [event] }, io) {
    if (event === undefined || !isHookEvent(event)) throw unknownEvent(event);
    const given = parseInput(values.input);
    const { loaded, config, cwd } = await requireHooks(values, io);
    const runs: HookRun[] = [];
    const hooks = createHooks(
      loaded,
      {
        sessionId: "hooks-test",
        started: () => {},
        completed: (run) => runs.push(run),
        warn: (message) => io.stderr.write(`${message}\n`),
        callMcpTool: () => Promise.reject(new Error("`quire hooks test` starts no MCP servers")),
        now: () => Date.now(),
      },
      { bypassTrust: values.untrusted, env: io.env },
    );
    const call = sampleCall(event, { cwd, model: config.model, tool: values.tool, given });
    const outcome = (await hooks?.run(call, io.signal)) ?? { contexts: [] };
    await hooks?.close();
    const skipped = loaded.hooks.filter(
      (hook) => hook.event === event && !values.untrusted && !isTrusted(hook),
    );
    if (values.json) io.stdout.write(`${JSON.stringify({ runs, outcome }, null, 2)}\n`);
    else io.stdout.write(`${report(runs, outcome).join("\n")}\n`);
    for (const { key } of skipped) io.stderr.write(`Not run, because it is not trusted: ${key}\n`);
    return exitCodes.ok;
  },
});

function unknownEvent(event: string | undefined): UsageError {
  if (event === undefined) return new UsageError("Missing event, such as PreToolUse");
  const near = nearest(event, hookEventNames);
  const hint = near === undefined ? hookEventNames.join(", ") : `did you mean ${near}?`;
  return new UsageError(`Unknown event ${event}: ${hint}`);
}

function parseInput(text: string | undefined): Record<string, unknown> | undefined {
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) {
      return value as Record<string, unknown>;
    }
  } catch {
    // Reported below.
  }
  throw new UsageError(`Expected --input to be a JSON object (got ${text})`);
}

function report(runs: readonly HookRun[], outcome: HookOutcome): string[] {
  return [
    ...runs.flatMap(({ id, status, duration_ms, entries }) => [
      `${status}  ${visible(id)}  (${duration_ms} ms)`,
      ...entries.map(({ kind, text }) => `  ${kind}: ${visible(text)}`),
    ]),
    ...(runs.length === 0 ? ["No hook ran."] : []),
    `Decision: ${decisionOf(outcome)}`,
  ];
}

function decisionOf({ blocked, stopped, permission, updatedInput }: HookOutcome): string {
  if (blocked !== undefined) return `blocked: ${visible(blocked.reason)}`;
  if (stopped !== undefined) return `stopped: ${visible(stopped.reason)}`;
  if (permission?.behavior === "deny") return `denied: ${visible(permission.message)}`;
  if (permission !== undefined) return "allowed without asking";
  if (updatedInput === undefined) return "continue";
  return `continue with ${visible(JSON.stringify(updatedInput))}`;
}
