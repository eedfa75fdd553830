import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { test as anyTest, expect } from "vitest";
import { quireCommand } from "../../support/bin.js";
import { calls, fails, says } from "../../support/model.js";
import { closeBrowserAtEnd, hasBrowser, openContext } from "../support/browser.js";
import { send, startWeb } from "../support/web-server.js";

const test = anyTest.skipIf(!hasBrowser);
closeBrowserAtEnd();

const apiKey = `sk-${"a1B2c3".repeat(6)}`;
const hostile = [
  "</script><script>window.hacked = 1</script><!--<script>",
  '<img src="http://127.0.0.1:1/x.png" onerror="window.hacked = 2">',
  "[a](javascript:window.hacked=3) ![d](http://127.0.0.1:1/y.png)",
  `The key is ${apiKey}, the password hunter2-hunter2.`,
].join("\n\n");

test("a session is exported as one inert file that shows it without a server", async () => {
  const server = await startWeb({
    model: [
      calls("update_plan", { plan: [{ step: "</script><b>Look", status: "completed" }] }),
      calls("shell_command", { command: `echo '</script><script>window.hacked=4</script>'` }),
      [
        {
          apply_patch: "*** Begin Patch\n*** Add File: <img src=x>.txt\n+</script>\n*** End Patch",
        },
      ],
      says(hostile),
      fails(400),
    ],
  });
  const page = await server.openPage();
  await send(page, "</title><script>window.hacked=5</script>");
  await page.getByRole("article", { name: "Assistant" }).waitFor();
  await send(page, "Fail");
  await page.getByRole("article", { name: /^Notice/ }).waitFor();
  const id = new URL(page.url()).hash.replace("#thread=", "");
  await server.stop();
  const file = join(server.project, "export.html");
  const env = { ...process.env, CODEX_HOME: server.home, DB_PASSWORD: "hunter2-hunter2" };
  await promisify(execFile)(...quireCommand(["sessions", "export", id, "--html", file]), {
    env,
  });

  const opened = await (await openContext()).newPage();
  const asked: string[] = [];
  const problems: string[] = [];
  opened.on("request", (request) => asked.push(request.url()));
  opened.on("console", (message) => problems.push(message.text()));
  opened.on("pageerror", ({ message }) => problems.push(message));
  await opened.goto(`file://${file}`);
  const log = opened.getByRole("log", { name: "Conversation" });
  await log.getByRole("article", { name: "Assistant" }).waitFor();
  await log.getByRole("insertion").waitFor();

  const names = await log
    .getByRole("article")
    .evaluateAll((all) => all.map((one) => one.getAttribute("aria-label")?.split(":")[0]));
  expect(names).toEqual(["You", "Command", "File change", "Assistant", "Plan", "You", "Notice"]);
  expect(await log.textContent()).toContain("</script><script>window.hacked = 1</script>");
  expect(await log.textContent()).toContain("<img src=x>.txt");
  expect(await opened.title()).toBe("</title><script>window.hacked=5</script> · Quire");
  const found = await opened.evaluate(() => ({
    hacked: "hacked" in window,
    elements: document.body.querySelectorAll("iframe, object, embed, img, form").length,
    scripts: document.scripts.length,
    boxes: document.querySelectorAll("textarea, input").length,
    isStyled: getComputedStyle(document.body).overflow,
  }));
  expect(found).toEqual({ hacked: false, elements: 0, scripts: 2, boxes: 0, isStyled: "hidden" });
  expect(asked).toEqual([`file://${file}`]);
  expect(problems).toEqual([]);
  const text = readFileSync(file, "utf8");
  expect(text).not.toContain(apiKey);
  expect(text).not.toContain("hunter2");
  expect(text).toContain("[REDACTED]");
  expect(text).toContain("default-src 'none'; script-src 'sha256-");
}, 30_000);
