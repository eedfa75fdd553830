import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import type { Script } from "../../src/model/scripted/index.js";
import { spawn, wait } from "../support/agents.js";
import { both, calls, says } from "../support/model.js";
import type { TestServer, TestServerOptions } from "../support/server.js";
import { begin, say, startAppServer } from "./methods/thread.js";

async function startServer(
  files: Record<string, string>,
  model: Script,
  { config, ...options }: Partial<TestServerOptions> = {},
): Promise<TestServer> {
  const all = { model: "gpt-6-sol", ...config };
  const server = await startAppServer({ ...options, config: all, model });
  for (const [path, text] of Object.entries(files)) {
    const file = join(path.startsWith(".codex") ? server.workspace : server.home, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  return server;
}

/** Runs one turn; returns its warnings and the requests of agents. */
async function runTurn(server: TestServer, params: object = {}) {
  const client = server.connect(() => ({ decision: "accept" }));
  const threadId = await begin(client, params);
  await say(client, threadId, "use a helper");
  for (;;) {
    const ended = (await client.until("turn/completed")).params as { threadId: string };
    if (ended.threadId === threadId) break;
  }
  const warnings = client.heard.flatMap(({ method, params }) =>
    method === "warning" ? [(params as { message: string }).message] : [],
  );
  const ofAgent = server.prompts.filter(({ input }) => JSON.stringify(input).includes("NEW_TASK"));
  return { warnings, ofAgent };
}

const answers = (agent_type: string) => [[spawn("one", { agent_type })], wait, says("done")];

test("a role of the home chooses model, effort, instructions and tools of an agent", async () => {
  await using server = await startServer(
    {
      "agents/reader.toml":
        'description = "Reads."\nmodel = "gpt-5.2"\neffort = "high"\ninstructions = "ONLY READ"\ntools = ["view_image"]\n',
    },
    {
      answers: answers("reader"),
      agents: { "*": [calls("exec_command", { cmd: "touch made" }), says("could not")] },
    },
  );
  const { warnings, ofAgent } = await runTurn(server);
  const [first, second] = ofAgent;

  expect(first?.model).toBe("gpt-5.2");
  expect(first?.reasoning?.effort).toBe("high");
  expect(JSON.stringify(first?.input)).toContain("ONLY READ");
  expect(first?.tools.map((tool) => ("name" in tool ? tool.name : tool.type))).toEqual([
    "view_image",
  ]);
  expect(JSON.stringify(second?.input.at(-1))).toContain("unsupported call");
  expect(existsSync(join(server.workspace, "made"))).toBe(false);
  expect(warnings).toEqual([]);
});

test("the names of roles are offered, and a mistake is one warning with file and line", async () => {
  await using server = await startServer(
    {
      "agents/reader.toml": 'description = "Reads."\n',
      "agents/broken.toml": 'description = "x"\nsandbox_mode = "danger-full-access"\n',
      "agents/odd.toml": "colour = 1\n",
      "agents/folder.toml/file": "",
      "agents/file.toml": 'name = "writer"\ndescription = "Writes."\n',
      ".codex/agents/project.toml": 'description = "Of the project."\n',
    },
    // The agent is offered the roles too.
    { answers: answers("tidy"), agents: { "*": [says("hi")] } },
    { config: { "agents.tidy.description": "Tidies." } },
  );
  const { warnings } = await runTurn(server);
  const offered = JSON.stringify(server.prompts[0]?.tools);

  expect(offered).toContain("\\nwriter: Writes.\\nreader: Reads.\\ntidy: Tidies.");
  expect(offered).not.toContain("Of the project.");
  expect(warnings).toHaveLength(1);
  expect(warnings[0]).toContain("broken.toml:2: `sandbox_mode`: expected one of read-only");
  expect(warnings[0]).toContain("odd.toml:1: `colour` is not a key of a role");
  expect(warnings[0]).toContain("agents/folder.toml: EISDIR");
});

test("a project that the user trusts brings roles", async () => {
  await using server = await startServer(
    { ".codex/agents/project.toml": 'description = "Of the project."\n' },
    { answers: [says("hi")] },
  );
  const trust = `[projects."${server.workspace}"]\ntrust_level = "trusted"\n`;
  await writeFile(join(server.home, "config.toml"), trust);
  await runTurn(server);

  expect(JSON.stringify(server.prompts[0]?.tools)).toContain("project: Of the project.");
});

test.each([
  ["read-only", "danger-full-access", "read-only"],
  ["workspace-write", "danger-full-access", "workspace-write"],
  ["workspace-write", "read-only", "read-only"],
])("a role with %s in a %s conversation works in %s", async (wanted, own, expected) => {
  await using server = await startServer(
    { "agents/limited.toml": `sandbox_mode = "${wanted}"\n` },
    { answers: answers("limited"), agents: { "*": [says("done")] } },
    { config: { sandbox_mode: own, approval_policy: "never" } },
  );
  const { ofAgent } = await runTurn(server);

  expect(JSON.stringify(ofAgent[0]?.input)).toContain(`<sandbox_mode>${expected}</sandbox_mode>`);
});

test("an agent has the limits of its parent: its policies and those of the administrator", async () => {
  await using server = await startServer(
    {},
    {
      answers: [[spawn("one")], wait, says("done")],
      agents: {
        "*": [
          both(
            calls("exec_command", { cmd: "touch made", login: false }, "c1"),
            calls("exec_command", { cmd: "touch denied-one", login: false }, "c2"),
          ),
          says("done"),
        ],
      },
    },
    {
      config: { sandbox_mode: "read-only", approval_policy: "never" },
      requirements:
        'allowed_sandbox_modes = ["read-only"]\nallowed_approval_policies = ["never"]\n',
    },
  );
  const { ofAgent } = await runTurn(server);

  expect(JSON.stringify(ofAgent[0]?.input)).toContain("<sandbox_mode>read-only</sandbox_mode>");
  expect(["made", "denied-one"].map((name) => existsSync(join(server.workspace, name)))).toEqual([
    false,
    false,
  ]);
});
