import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { quireCommand } from "../support/bin.js";
import { closeBrowserAtEnd, hasBrowser, openContext } from "./support/browser.js";
import { problemsOf, wideElements } from "./support/look.js";

closeBrowserAtEnd();

/** An inspected server that answers every request with an empty object, and its page. */
async function startInspect() {
  const root = mkdtempSync(join(tmpdir(), "quire-inspect-page-"));
  const home = join(root, "home");
  mkdirSync(home);
  const server = join(root, "server.cjs");
  writeFileSync(
    server,
    `require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
      const { id, method } = JSON.parse(line);
      const result = method === "initialize" ? { userAgent: "t/0.166.0 (x) y" } : {};
      if (id !== undefined) console.log(JSON.stringify({ id, result }));
    });`,
  );
  const command = quireCommand(["inspect", "--page", "--", process.execPath, server]);
  const env = { PATH: process.env.PATH ?? "", HOME: root, CODEX_HOME: home };
  const child = spawn(...command, { cwd: root, env });
  onTestFinished(async () => {
    child.stdin.end();
    if (child.exitCode === null) await once(child, "exit");
    await rm(root, { recursive: true, force: true });
  });
  let stderr = "";
  child.stdout.resume();
  child.stderr.on("data", (chunk) => {
    stderr += chunk;
  });
  while (!/page at \S+\n/.test(stderr)) await once(child.stderr, "data");
  const [, address = ""] = /page at (\S+)\n/.exec(stderr) ?? [];
  return {
    address,
    send: (message: object) => child.stdin.write(`${JSON.stringify(message)}\n`),
    end: () => child.stdin.end(),
  };
}

describe.runIf(hasBrowser)("the page of the inspector", () => {
  test("pairs once, shows messages as they come, filters them, and ends with the server", async () => {
    const inspector = await startInspect();
    inspector.send({
      id: 0,
      method: "initialize",
      params: { clientInfo: { name: "t", version: "1" } },
    });
    inspector.send({ id: 1, method: "thread/list", params: { cursor: "<b>x</b>" } });
    const context = await openContext();
    const page = await context.newPage();
    const errors: string[] = [];
    page.on("console", (message) => {
      if (message.type() === "error") errors.push(message.text());
    });

    await page.goto(inspector.address);
    await page.getByRole("button", { name: "Pair" }).click();

    const rows = page.getByRole("list", { name: "Messages" }).getByRole("button");
    await rows.filter({ hasText: "1 thread/list result" }).waitFor();
    expect(await rows.count()).toBe(4);
    await page.getByText("era 0.166 · 4 messages · 2 invalid").waitFor();
    expect(new URL(page.url()).hash).toBe("");
    expect(await problemsOf(page)).toEqual([]);

    // Live, filtered, and by keyboard alone.
    inspector.send({ method: "initialized" });
    await rows.filter({ hasText: "initialized" }).waitFor();
    await page.keyboard.press("i");
    await page.getByText("2 shown").waitFor();
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("ArrowUp");
    const details = page.getByRole("complementary", { name: "Selected message" });
    await details.getByText("result.codexHome is missing.").waitFor();
    await page.keyboard.press("i");
    await page.getByRole("radio", { name: "From client" }).check({ force: true });
    await page.keyboard.press("/");
    await page.keyboard.type("thread");
    await page.getByText("1 shown").waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.press("k");
    await details.getByText('"cursor": "<b>x</b>"').waitFor();
    expect(await problemsOf(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await details.waitFor({ state: "detached" });

    // The code works once.
    const other = await (await openContext()).newPage();
    await other.goto(inspector.address);
    await other.getByRole("button", { name: "Pair" }).click();
    await other.getByRole("alert").waitFor();

    inspector.end();
    await page.getByRole("status", { name: "Connection" }).getByText("Ended").waitFor();
    await page.getByText("The server ended: exit code 0").waitFor();
    expect(errors).toEqual([]);
  });

  test.each([
    ["light", 1280, 800],
    ["dark", 390, 844],
  ] as const)("fits %s at %d × %d", async (colorScheme, width, height) => {
    const inspector = await startInspect();
    const page = await (await openContext({ colorScheme, viewport: { width, height } })).newPage();
    await page.goto(inspector.address);
    await page.getByRole("button", { name: "Pair" }).click();
    for (let id = 1; id < 40; id++) {
      inspector.send({ id, method: "turn/start", params: { text: "long ".repeat(200) } });
    }
    await page.getByText("78 shown").waitFor();
    await page.keyboard.press("ArrowUp");

    await page.getByRole("complementary", { name: "Selected message" }).waitFor();

    expect(await wideElements(page)).toEqual([]);
    expect(await problemsOf(page)).toEqual([]);
    if (process.env.QUIRE_PICTURES) {
      await page.screenshot({
        path: join(process.env.QUIRE_PICTURES, `inspect-${colorScheme}.png`),
      });
    }
  });

  test("answers only its own pages, with a strict policy, and nothing without pairing", async () => {
    const { address } = await startInspect();
    const { origin } = new URL(address);

    const page = await fetch(origin);
    const stream = await fetch(`${origin}/ws`);
    const foreign = await fetch(`${origin}/device`, { headers: { origin: "http://evil.example" } });

    expect(page.status).toBe(200);
    expect(page.headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(stream.status).toBe(401);
    expect(foreign.status).toBe(403);
  });
});
