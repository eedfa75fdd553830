import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { openBroker } from "../../../src/fleet/index.js";
import { runWorker } from "../../../src/fleet/worker/index.js";
import { Codex } from "../../../src/index.js";
import { scriptedConfig } from "../../../src/model/scripted/index.js";
import { createInProcessUser } from "../../cli/support/in-process.js";
import { says, startModel } from "../../support/model.js";
import { hasTmux, startTerminal } from "../../support/terminal.js";

test("the library and exec run threads on the workers of a fleet", async () => {
  await using fleet = await startWorker();
  const { url, workspace } = fleet;
  const codex = new Codex({ fleet: { url, pool: "main" } });

  const thread = codex.startThread({ workingDirectory: workspace });
  const { finalResponse } = await thread.run("hi");
  await codex.close();
  const args = ["--fleet", url, "--pool", "main", "-C", workspace, "--json"];
  using user = createInProcessUser();
  const { code, stdout } = await user.run(["exec", ...args, "resume", thread.id ?? "", "go on"]);

  expect(finalResponse).toBe("Hello.");
  expect(code).toBe(0);
  expect(stdout).toContain(`"thread_id":"${thread.id}"`);
  expect(stdout).toContain("Again.");
});

test.skipIf(!(await hasTmux()))("the terminal UI runs a thread on a worker", async () => {
  await using fleet = await startWorker();
  const args = ["--fleet", fleet.url, "--pool", "main", "-C", fleet.workspace];
  await using terminal = await startTerminal({ args });
  await terminal.until("Describe a task");

  await terminal.type("hi");
  await terminal.keys("Enter");
  await terminal.until("Hello.");
  await terminal.type("go on");
  await terminal.keys("Enter");

  await terminal.until("Again.");
  expect(terminal.model.requests).toEqual([]);
});

test.each([
  [["--fleet", "nats://host", "--remote", "ws://host"], /`--fleet` and `--remote` cannot be used/],
  [["--pool", "main"], /--pool requires --fleet URL/],
  [["--fleet", "http://host"], /Expected the address of a broker/],
  [["--fleet", "memory:", "--pool", "a b"], /pool has letters, digits, - and _ only \(got "a b"\)/],
])("exec %j is refused", async (args, message) => {
  using user = createInProcessUser();
  const { code, stderr } = await user.run(["exec", ...args, "hi"]);

  expect(code).not.toBe(0);
  expect(stderr).toMatch(message);
});

test("the library refuses a fleet together with another place for threads", () => {
  const fleet = "nats://host";

  expect(() => new Codex({ fleet, url: "ws://host" })).toThrow(/`url` and `fleet`/);
  expect(() => new Codex({ fleet, hooks: {} })).toThrow(/configure them on the workers/);
});

/** Starts a worker on a broker of files, with a model of its own. */
async function startWorker() {
  const root = await mkdtemp(join(tmpdir(), "quire-fleet-"));
  const [home, workspace] = [join(root, "home"), join(root, "workspace")];
  await Promise.all([mkdir(home), mkdir(workspace)]);
  const model = await startModel([says("Hello."), says("Again.")]);
  await writeFile(join(home, "config.toml"), scriptedConfig({ baseUrl: model.baseUrl }));
  const url = pathToFileURL(join(root, "broker")).href;
  const broker = await openBroker(url);
  const stop = new AbortController();
  const working = runWorker({
    broker,
    name: "w1",
    pool: "main",
    workspaceRoot: workspace,
    leaseMs: 2000,
    maxThreads: 10,
    local: { env: { PATH: process.env.PATH, HOME: home, CODEX_HOME: home } },
    signal: stop.signal,
    onReady() {},
    report() {},
  });
  return {
    url,
    workspace,
    async [Symbol.asyncDispose]() {
      stop.abort();
      await working;
      await broker.close();
      await model.close();
      await rm(root, { recursive: true, force: true });
    },
  };
}
