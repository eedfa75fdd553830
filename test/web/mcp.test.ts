import { execFile } from "node:child_process";
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Page } from "playwright-core";
import { test as anyTest, expect } from "vitest";
import { quireCommand } from "../support/bin.js";
import { stdioServer } from "../support/mcp.js";
import { calls, says } from "../support/model.js";
import { closeBrowserAtEnd, hasBrowser, openContext } from "./support/browser.js";
import { connected, send, startWeb } from "./support/web-server.js";

const test = anyTest.skipIf(!hasBrowser);
closeBrowserAtEnd();

test("results of MCP tools are inert, live, after a reload and in an exported file", async () => {
  const { transport } = await stdioServer("attacks");
  if (transport.type !== "stdio") throw new Error("Expected a program");
  const { command, args = [] } = transport;
  const server = await startWeb({
    model: [
      calls("mcp__evil__words", {}, "c1"),
      calls("mcp__evil__pictures", {}, "c2"),
      calls("mcp__evil__huge", {}, "c3"),
      says("All three were called."),
    ],
    furnish: ({ home }) =>
      appendFileSync(
        join(home, "config.toml"),
        `\n[mcp_servers.evil]\ncommand = ${JSON.stringify(command)}\nargs = ${JSON.stringify(args)}\n`,
      ),
  });
  const page = await server.openPage();
  const asked = requestsOf(page);
  await send(page, "Call them");
  const answer = page.getByRole("article", { name: "Assistant" });
  await answer.waitFor({ timeout: 60_000 });

  for (const state of ["live", "reloaded"]) {
    expect(await showResults(page), state).toContain("window.hacked = 3</script>");
    expect(await dangersOf(page), state).toEqual(nothing);
    await page.getByRole("textbox", { name: "Message" }).fill("still here");
    await page.reload();
    await connected(page);
    await answer.waitFor({ timeout: 60_000 });
  }
  expect(asked.filter((url) => !url.startsWith(server.origin))).toEqual([]);

  const id = new URL(page.url()).hash.replace("#thread=", "");
  await server.stop();
  const file = join(server.project, "export.html");
  const env = { ...process.env, CODEX_HOME: server.home };
  await promisify(execFile)(...quireCommand(["sessions", "export", id, "--html", file]), { env });
  const opened = await (await openContext()).newPage();
  const exported = requestsOf(opened);
  await opened.goto(`file://${file}`);
  await opened.getByRole("article", { name: "Assistant" }).waitFor({ timeout: 60_000 });

  expect(await showResults(opened)).toContain("window.hacked = 3</script>");
  expect(await dangersOf(opened)).toEqual({ ...nothing, scripts: 2 });
  expect(exported).toEqual([`file://${file}`]);
}, 180_000);

const nothing = { hacked: false, elements: 0, handlers: 0, links: [], scripts: 1 };

/** Opens the results of all calls; returns what the conversation shows. */
async function showResults(page: Page): Promise<string> {
  const log = page.getByRole("log", { name: "Conversation" });
  const results = log.getByRole("article", { name: /^Command: evil/ });
  await expect.poll(() => results.count()).toBe(3);
  for (let at = 0; at < 3; at++) {
    const closed = results.nth(at).locator("[aria-expanded=false]");
    while ((await closed.count()) > 0) await closed.first().click();
  }
  return (await log.textContent()) ?? "";
}

/** Counts what could run or load something. */
function dangersOf(page: Page) {
  return page.evaluate(() => ({
    hacked: "hacked" in window,
    elements: document.body.querySelectorAll("iframe, object, embed, img, svg script").length,
    handlers: [...document.querySelectorAll("*")].filter((one) =>
      [...one.attributes].some(({ name }) => name.startsWith("on")),
    ).length,
    links: [...document.links]
      .map(({ protocol }) => protocol)
      .filter((one) => !/^(http|file):/.test(one)),
    scripts: document.scripts.length,
  }));
}

function requestsOf(page: Page): string[] {
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  return asked;
}
