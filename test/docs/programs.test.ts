import { execFileSync, spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Codex } from "../../src/index.js";
import { callsCustom, says, scriptedModel } from "../../src/testing/index.js";
import { blocksOf } from "../support/doc-blocks.js";
import { makePlace } from "../support/exec.js";

function blockOf(page: string, info: string): string {
  const [block] = blocksOf(page).filter((one) => one.info === info);
  if (block === undefined) throw new Error(`${page} has no block of ${info}`);
  return block.code;
}

function has(program: string): boolean {
  return spawnSync(program, ["--version"]).status === 0;
}

test.skipIf(!has("bwrap"))(
  "the script of docs/code-mode.md runs as a script of the model",
  async () => {
    const home = await mkdtemp(join(tmpdir(), "quire-docs-"));
    await writeFile(join(home, "one.log"), "a\nb\n");
    const script = blockOf("docs/code-mode.md", "js");
    const model = scriptedModel([callsCustom("exec", script), says("Done.")]);
    const env = { PATH: process.env.PATH, HOME: home, CODEX_HOME: home };
    const codex = new Codex({ env, workingDirectory: home, model, ephemeral: true });

    await codex.startThread({ sandboxMode: "danger-full-access" }).run("Count the lines");
    await codex.close();

    expect(JSON.stringify(model.requests[1]?.body)).toContain("2 one.log");
    await rm(home, { recursive: true });
  },
);

test.skipIf(!has("python3"))("the hook of docs/hooks.md blocks a forced push alone", async () => {
  const folder = await mkdtemp(join(tmpdir(), "quire-docs-"));
  const file = join(folder, "no-force.py");
  await writeFile(file, blockOf("docs/hooks.md", "python"));
  const run = (command: string) =>
    spawnSync("python3", [file], { input: JSON.stringify({ tool_input: { command } }) });

  const [forced, plain] = [run("git push --force"), run("git push")];

  expect([forced.status, plain.status]).toEqual([2, 0]);
  expect(String(forced.stderr)).toContain("Do not force-push");
  await rm(folder, { recursive: true });
});

test("the page of docs/transports.md initializes over server-sent events", async () => {
  await using place = await makePlace([says("Hello.")]);
  const server = place.start("quire", ["app-server", "--listen", "http://127.0.0.1:0"]);
  await server.until(/listening on \S+\n/);
  const [, address = ""] = /(http:\/\/127\.0\.0\.1:\d+)/.exec(server.stderr()) ?? [];
  const code = blockOf("docs/transports.md", "js page").replace("http://127.0.0.1:4500", address);
  const file = join(place.workspace, "page.mjs");
  await writeFile(file, `${eventSource}\n${code}`);

  const stdout = execFileSync(process.execPath, [file], { encoding: "utf8", timeout: 60_000 });

  expect(stdout).toContain("userAgent");
});

/** The part of a browser's `EventSource` that the page uses; it ends with the first message. */
const eventSource = `
class EventSource extends EventTarget {
  constructor(url) {
    super();
    this.read(url);
  }
  async read(url) {
    const { body } = await fetch(url, { headers: { accept: "text/event-stream" } });
    let text = "";
    for await (const piece of body.pipeThrough(new TextDecoderStream())) {
      text += piece;
      const events = text.split("\\n\\n");
      text = events.pop();
      for (const event of events) this.emit(event);
    }
  }
  emit(text) {
    const field = (name) => new RegExp("^" + name + ": (.*)$", "m").exec(text)?.[1];
    const [type, data] = [field("event") ?? "message", field("data")];
    if (data === undefined) return;
    this.dispatchEvent(Object.assign(new Event(type), { data }));
    if (type !== "message") return;
    this.onmessage({ data });
    process.exit(0);
  }
}
`;
