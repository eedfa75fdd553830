import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Codex, type CodexOptions } from "../../src/index.js";
import { listenScriptedModel, type ScriptedServer } from "../../src/model/scripted/index.js";
import { says } from "../support/model.js";

let home: string;
let model: ScriptedServer;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "quire-key-"));
  await mkdir(join(home, "work"));
  model = await listenScriptedModel({ script: { answers: [says("hi")], after: "repeat" } });
});

afterEach(async () => {
  await model.close();
  await rm(home, { recursive: true, force: true });
});

/** Runs a turn and returns the keys that the model's server received. */
async function keysOf(options: CodexOptions, env: Record<string, string> = {}) {
  await using codex = new Codex({
    env: { PATH: process.env.PATH, HOME: home, CODEX_HOME: home, ...env },
    workingDirectory: join(home, "work"),
    baseUrl: model.baseUrl,
    ephemeral: true,
    ...options,
  });
  await codex.startThread().run("hi");
  return model.requests.map(({ headers }) => headers.authorization);
}

test("[embedding B1] the key of the caller is sent without any other sign-in", async () => {
  expect(await keysOf({ apiKey: "GIVEN" })).toEqual(["Bearer GIVEN"]);
});

test("[embedding B1] no other key goes to the caller's server", async () => {
  await writeFile(join(home, "auth.json"), JSON.stringify({ OPENAI_API_KEY: "STORED" }));
  const ambient = { OPENAI_API_KEY: "AMBIENT", CODEX_API_KEY: "RUN" };

  expect(await keysOf({ apiKey: "GIVEN" }, ambient)).toEqual(["Bearer GIVEN"]);
});

test("[embedding B1] CODEX_API_KEY takes precedence over a stored sign-in and OPENAI_API_KEY", async () => {
  await writeFile(join(home, "auth.json"), JSON.stringify({ OPENAI_API_KEY: "STORED" }));
  const ambient = { OPENAI_API_KEY: "AMBIENT", CODEX_API_KEY: " RUN " };

  expect(await keysOf({}, ambient)).toEqual(["Bearer RUN"]);
});

test("[embedding B1] a refused key is not replaced by another", async () => {
  await model.close();
  model = await listenScriptedModel({
    script: { answers: [[{ status: 401, body: {} }]], after: "repeat" },
  });
  await writeFile(join(home, "auth.json"), JSON.stringify({ OPENAI_API_KEY: "STORED" }));

  await expect(keysOf({ apiKey: "GIVEN" }, { OPENAI_API_KEY: "AMBIENT" })).rejects.toThrow();

  const keys = new Set(model.requests.map(({ headers }) => headers.authorization));
  expect([...keys]).toEqual(["Bearer GIVEN"]);
});

test("[embedding B1] an API key is refused where the settings allow ChatGPT logins only", async () => {
  await writeFile(join(home, "config.toml"), 'forced_login_method = "chatgpt"\n');

  await expect(keysOf({ apiKey: "GIVEN" })).rejects.toThrow("forced_login_method");
  expect(model.requests).toEqual([]);
});

test("[embedding B1] the environment of commands does not show the key of the caller", async () => {
  const cmd = { call: "exec_command", args: { cmd: "env" } };
  await model.close();
  model = await listenScriptedModel({ script: [[cmd], says("done")] });

  await keysOf({ apiKey: "GIVEN", sandboxMode: "danger-full-access" });

  const output = JSON.stringify(model.requests[1]?.body);
  expect(output).toContain("PATH=");
  expect(output).not.toContain("GIVEN");
});
