import { execFile } from "node:child_process";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, test } from "vitest";
import { listenScriptedModel, scriptedConfig, unguarded } from "../../src/model/scripted/index.js";
import { calls, callsCustom, says } from "../support/model.js";

const run = promisify(execFile);
const home = await mkdtemp(join(tmpdir(), "quire-executable-"));
const file = join(home, "quire");
const isBuilt = await build();

afterAll(() => rm(home, { recursive: true, force: true }));

/** Returns false if the runtime is not in the cache and the registry is out of reach. */
async function build(): Promise<boolean> {
  const script = resolve(import.meta.dirname, "../../scripts/build-executable.mjs");
  try {
    await run(process.execPath, [script, "--out", file]);
    return true;
  } catch (error) {
    if (!/\b(ENOTFOUND|EAI_AGAIN|ECONN\w+|E?TIMEDOUT|ENETUNREACH)\b/.test(String(error)))
      throw error;
    console.warn("SKIPPED: the registry with the runtime of the executable cannot be reached");
    return false;
  }
}

function quire(...args: string[]) {
  const env = { PATH: "/usr/bin:/bin", HOME: home, CODEX_HOME: home };
  const ran = run(file, args, { cwd: home, env });
  ran.child.stdin?.end();
  return ran;
}

test.skipIf(!isBuilt)(
  "runs without Node on the path, and ignores what the folder tells its runtime",
  async () => {
    await writeFile(join(home, "bunfig.toml"), 'preload = ["./evil.js"]\n');
    await writeFile(join(home, "evil.js"), 'console.log("evil")\n');

    const { stdout } = await quire("--version");

    expect(stdout).toMatch(/^quire \d+\.\d+\.\d+\n$/);
  },
);

test.skipIf(!isBuilt)("generates the types of the protocol from embedded schemas", async () => {
  await quire("app-server", "generate-ts", "--out", join(home, "types"));

  expect((await readdir(join(home, "types"))).length).toBeGreaterThan(100);
});

test.skipIf(!isBuilt)(
  "runs a command in a terminal, and reports why code mode cannot be used",
  async () => {
    const answers = [
      calls("exec_command", { cmd: "stty size; echo END", tty: true }),
      callsCustom("exec", "text('hi')"),
      says("Done."),
    ];
    const model = await listenScriptedModel({ script: answers });
    await using _ = { [Symbol.asyncDispose]: () => model.close() };
    const settings = `${unguarded}\nfeatures = { code_mode = true }`;
    const config = scriptedConfig({ baseUrl: model.baseUrl, settings, retries: 0 });
    await writeFile(join(home, "config.toml"), config);

    await quire("exec", "--skip-git-repo-check", "go");
    const outputs = model.requests.slice(1).map(({ body }) => JSON.stringify(body));

    expect(outputs[0]).toContain("24 80");
    expect(outputs[1]).toContain("Code mode cannot be used in the single-file executable");
  },
);
