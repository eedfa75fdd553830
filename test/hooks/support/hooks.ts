import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  createHooks,
  type HookEventName,
  type HookOutcome,
  type HookServices,
  type Hooks,
  type HooksOptions,
  loadHooks,
} from "../../../src/hooks/index.js";
import type { HookRun } from "../../../src/protocol/types.js";

/** Hooks of a session in a temporary folder, with everything that they reported. */
export interface TestHooks extends AsyncDisposable {
  hooks: Hooks;
  folder: string;
  /** All reports in their order. */
  reports: { kind: "started" | "completed"; run: HookRun }[];
  /** Completed runs. */
  readonly completed: HookRun[];
  warnings: string[];
  /** Runs the hooks of an event with some input of it. */
  run(event: HookEventName, more?: TestCall, signal?: AbortSignal): Promise<HookOutcome>;
}

interface TestCall {
  names?: readonly string[];
  callId?: string;
  input?: Readonly<Record<string, unknown>>;
}

/** Creates hooks of one file, which the user trusts. */
export async function createTestHooks(
  events: Readonly<Record<string, unknown>>,
  { callMcpTool, ...options }: HooksOptions & Partial<Pick<HookServices, "callMcpTool">> = {},
): Promise<TestHooks> {
  const folder = await mkdtemp(join(tmpdir(), "quire-hooks-"));
  const reports: TestHooks["reports"] = [];
  const warnings: string[] = [];
  const path = "/h/hooks.json";
  const content = { hooks: events };
  const source = { kind: "user", path, isManaged: true, content, lineOf: () => undefined } as const;
  const services: HookServices = {
    sessionId: `test-${process.pid}-${folder.slice(-6)}`,
    started: (run) => reports.push({ kind: "started", run }),
    completed: (run) => reports.push({ kind: "completed", run }),
    warn: (message) => warnings.push(message),
    callMcpTool: callMcpTool ?? (() => Promise.reject(new Error("no MCP servers"))),
    now: () => Date.now(),
  };
  const env = { ...process.env, SHELL: "/bin/bash", HOME: folder };
  const hooks = createHooks(loadHooks([source], {}), services, { env, ...options });
  if (hooks === undefined) throw new Error("no hook may run");
  return {
    hooks,
    folder,
    reports,
    get completed() {
      return reports.flatMap(({ kind, run }) => (kind === "completed" ? [run] : []));
    },
    warnings,
    run: (event, { input = {}, ...more } = {}, signal = new AbortController().signal) =>
      hooks.run(
        { event, cwd: folder, turnId: "t", ...more, input: { hook_event_name: event, ...input } },
        signal,
      ),
    async [Symbol.asyncDispose]() {
      await hooks.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Declares one hook of an event. */
export function one(
  event: HookEventName,
  command: string,
  more: object = {},
): Record<string, unknown> {
  return { [event]: [{ hooks: [{ type: "command", command, ...more }] }] };
}
