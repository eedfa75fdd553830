import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { startServer } from "../../support/http-server.js";
import { hasTmux, startTerminal } from "../../support/terminal.js";

describe.skipIf(!(await hasTmux()))("the first run", () => {
  test("[terminal R6 R8] asks which model to use, and states that the demo is scripted", async () => {
    await using terminal = await startTerminal({ wholeConfig: "", env: { OPENAI_API_KEY: "" } });
    const screen = await terminal.until("Which model do you want to use?");
    expect(screen).toContain("Sign in with ChatGPT");
    expect(screen).toContain("Use an API key");
    expect(screen).toContain("Use a local model");

    await terminal.type("5");
    const demo = await terminal.until(/model +scripted-model[\s\S]*Describe a task/);
    expect(demo).toContain("Demo: the answers are scripted.");
    expect(demo).toContain("for example: fix the failing test");
    await terminal.type("fix the failing test");
    await terminal.keys("Enter");

    await terminal.until(/look at the project|Ran ls|Listed/);
  });

  test("an API key is masked and saved", async () => {
    await using terminal = await startTerminal({ wholeConfig: "", env: { OPENAI_API_KEY: "" } });
    await terminal.until("Which model do you want to use?");
    await terminal.type("3");
    await terminal.until("Paste your API key");
    await terminal.type("sk-not-a-real-one");
    expect(await terminal.until("•••••")).not.toContain("sk-not");
    await terminal.keys("Enter");

    await terminal.until("Do you trust");
    const saved = JSON.parse(await readFile(join(terminal.home, "auth.json"), "utf8"));
    expect(saved).toMatchObject({ OPENAI_API_KEY: "sk-not-a-real-one" });
  });

  test("[terminal R7] a new folder is asked about once, and the answer is saved", async () => {
    await using terminal = await startTerminal({ isNewFolder: true, config: "" });
    const asked = await terminal.until("Do you trust the files in");
    expect(asked).toMatch(/Read-only commands[\s\S]*run without approval/);
    await terminal.keys("Enter");
    await terminal.until("workspace-write, on-request");
    await terminal.keys("C-d");
    await terminal.until("ended with 0");

    await terminal.restart();
    await terminal.until("Describe a task");
    expect(await readFile(join(terminal.home, "config.toml"), "utf8")).toContain(
      'trust_level = "trusted"',
    );
  });

  test("[terminal B9] a local model is saved, and /model lists the models of its provider", async () => {
    await using local = await listenModels(["qwen3:8b", "llama3.3:latest"]);
    const env = { OPENAI_API_KEY: "", CODEX_OSS_BASE_URL: local.url };
    await using terminal = await startTerminal({ wholeConfig: "", env });
    await terminal.until("Which model do you want to use?");
    await terminal.type("4");
    await terminal.until("Do you trust");
    await terminal.keys("Enter");
    await terminal.until(/model +qwen3:8b[\s\S]*Describe a task/);
    await terminal.keys("C-d");
    await terminal.until("ended with 0");

    await terminal.restart();
    await terminal.until(/model +qwen3:8b[\s\S]*Describe a task/);
    await terminal.type("/model");
    await terminal.keys("Enter");
    const list = await terminal.until("Select a model");
    expect(list).toContain("llama3.3:latest");
    expect(list).not.toMatch(/gpt/i);
    await terminal.keys("Down");
    await terminal.keys("Enter");
    await terminal.until("Model: llama3.3:latest");
    const read = () => readFile(join(terminal.home, "config.toml"), "utf8");
    await expect.poll(read).toContain('model = "llama3.3:latest"');
    const config = await read();
    expect(config).toContain('model_provider = "local-oss"');
    expect(config).not.toMatch(/gpt/i);
  });
});

/** Starts a server that lists models, as Ollama does. */
function listenModels(names: string[]) {
  return startServer((request, response) => {
    const data = names.map((id) => ({ id, object: "model" }));
    const isList = request.method === "GET" && request.url === "/v1/models";
    response.writeHead(isList ? 200 : 404, { "content-type": "application/json" });
    response.end(JSON.stringify(isList ? { object: "list", data } : {}));
  });
}
