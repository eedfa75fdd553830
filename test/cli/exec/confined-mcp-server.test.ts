import { appendFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makePlace } from "../../support/exec.js";
import { calls, says } from "../../support/model.js";

/** A server with a tool that reads a file of its working directory. */
const program = `
const { readFileSync } = require("node:fs");
const read = (name) => { try { return readFileSync(name, "utf8"); } catch (error) { return error.code; } };
const results = {
  initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "files", version: "1" } }),
  "tools/list": () => ({ tools: [{ name: "read", inputSchema: { type: "object" } }] }),
  "tools/call": ({ arguments: { name } }) => ({ content: [{ type: "text", text: read(name) }] }),
};
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: "2.0", id, result: results[method]?.(params) ?? {} }));
});
`;

test.each([[[]], [["--yolo"]]])(
  "an MCP server cannot read what a permission profile denies (%j)",
  async (options) => {
    const read = (name: string) => calls("mcp__files__read", { name }, name);
    const model = [read("secret.env"), read("open.txt"), says("Done.")];
    await using place = await makePlace(model, { config: 'default_permissions = "tight"' });
    await appendFile(
      join(place.home, "config.toml"),
      '\n[permissions.tight]\nextends = ":workspace"\n' +
        'filesystem = {":workspace_roots" = {"secret.env" = "deny"}}\n' +
        `[mcp_servers.files]\ncommand = ${JSON.stringify(process.execPath)}\nargs = ["../files.cjs"]\n`,
    );
    await writeFile(join(place.workspace, "../files.cjs"), program);
    await writeFile(join(place.workspace, "secret.env"), "hush-hush");
    await writeFile(join(place.workspace, "open.txt"), "fine");

    const { code } = await place.run("quire", ["exec", "--json", ...options, "go"]);

    const last = JSON.stringify(place.model.requests.at(-1)?.body);
    expect(code).toBe(0);
    expect(last).toContain("EACCES");
    expect(last).toContain("fine");
    expect(last).not.toContain("hush-hush");
  },
);
