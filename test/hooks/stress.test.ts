import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { HookRun } from "../../src/protocol/types.js";
import { defineTool, ok, parameters } from "../../src/tools/index.js";
import { startTestCodex, text } from "../support/codex.js";
import { type HookTable, writeHooks } from "../support/hooks.js";
import { calls, says } from "../support/model.js";
import { type StressCase, stressCases } from "./support/stress-cases.js";

/** What one call of a turn came to. */
interface Seen {
  runs: HookRun[];
  output: unknown;
}

/** Turns at the same time; each waits for the time limits of its hooks. */
const turns = 10;
const seen = new Map<StressCase, Seen>();
const roots: string[] = [];

const server = createServer((request, response) => {
  if (request.url === "/hang") return;
  if (request.url === "/cut") return void request.socket.destroy();
  if (request.url === "/moved") return void response.writeHead(302, { location: "/x" }).end();
  if (request.url === "/broken") return void response.writeHead(500).end("{}");
  response.write("{");
  const more = setInterval(() => response.write(" ".repeat(65_536)), 5);
  response.on("close", () => clearInterval(more));
});

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const groups = Array.from({ length: turns }, (_, at) =>
    stressCases.filter((_, index) => index % turns === at),
  );
  await Promise.all(groups.map(runTurn));
}, 60_000);

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

describe("a hook that", () => {
  test.each(stressCases.map((one) => [one.name, one] as const))("%s", (_, one) => {
    const { runs, output } = seen.get(one) ?? { runs: [], output: undefined };
    const matching = (value: string | RegExp) =>
      typeof value === "string" ? value : expect.stringMatching(value);

    expect(runs.map(({ status, entries }) => [status, entries[0]?.text])).toEqual(
      one.runs.map(([status, words]) => [
        status,
        words === undefined ? undefined : matching(words),
      ]),
    );
    const tool = `case_${stressCases.indexOf(one)}`;
    const reason = /^Tool call blocked by PreToolUse hook: (.*)\. Tool: (\w+)$/s.exec(
      String(output),
    );
    if (one.blocked === undefined) expect(output).toBe(one.output ?? `ran ${tool}`);
    else expect(reason?.slice(1)).toEqual([matching(one.blocked), tool]);
  });
});

test("no hook leaves a process behind", async () => {
  await vi.waitUntil(() => leftBehind().length === 0, { timeout: 5_000 }).catch(() => undefined);

  expect(leftBehind()).toEqual([]);
});

/** Runs a turn that calls one tool for each case. */
async function runTurn(cases: readonly StressCase[]): Promise<void> {
  const names = cases.map((one) => `case_${stressCases.indexOf(one)}`);
  const at = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const tools = names.map((name) =>
    defineTool({
      name,
      description: name,
      input: parameters({ text: { type: "string" } }, []),
      run: async () => ok(`ran ${name}`),
    }),
  );
  const large = "x".repeat(1_000_000);
  await using codex = await startTestCodex({
    model: [names.flatMap((name) => calls(name, { text: large }, name)), says("Done.")],
    tools,
    config: { mcp_servers: { dead: { command: "false" } } },
    configure: false,
    env: { SHELL: "/bin/sh" },
  });
  roots.push(codex.home);
  writeFileSync(join(codex.workspace, "plain"), "no program\n", { mode: 0o644 });
  const groups = cases.map(({ hooks }, index) => ({
    matcher: names[index] ?? "",
    hooks: JSON.parse(JSON.stringify(hooks).replaceAll('"AT/', `"${at}/`)) as object[],
  }));
  const table: HookTable = { PreToolUse: groups };
  writeFileSync(join(codex.home, "config.toml"), await writeHooks(codex.home, table));
  codex.submit({ type: "configure_session" }, "");
  await codex.until("session_configured");

  const events = await codex.turn({ type: "user_input", items: text("go") });

  const runs = events.flatMap((event) => (event.type === "hook_completed" ? [event.run] : []));
  const outputs = new Map(
    codex.prompts
      .at(-1)
      ?.input.flatMap((item) => ("output" in item ? [[item.call_id, item.output] as const] : [])),
  );
  for (const [index, one] of cases.entries()) {
    const name = names[index] ?? "";
    const own = runs.filter(({ id }) => id.endsWith(`:${name}`));
    seen.set(one, { runs: own, output: outputs.get(name) });
  }
}

/** Returns the commands of processes that hooks started. */
function leftBehind(): string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((pid) => {
      const read = (file: string) => {
        try {
          return readFileSync(`/proc/${pid}/${file}`, "latin1");
        } catch {
          return "";
        }
      };
      const environment = read("environ");
      const isOurs = roots.some((root) => environment.includes(root));
      const words = read("cmdline").replaceAll("\0", " ").trim();
      return isOurs ? [words] : [];
    });
}
