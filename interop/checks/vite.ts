import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { chromium } from "playwright-core";
import { type CheckContext, Skipped } from "../check.js";
import { freePort, untilOpen } from "../http-server.js";
import { installOurs } from "../installed-package.js";
import { openScene, type Scene } from "../scene.js";

const browser = "/usr/bin/chromium";

/** Builds a page with the client of the installed package; in a browser it runs a turn of our server. */
export async function buildVite(version: string, context: CheckContext): Promise<string> {
  if (!existsSync(browser)) throw new Skipped(`there is no ${browser}`);
  const [node = "", vite = ""] = await context.packages.program("vite", version);
  const plan = () => ({ script: [[{ message: "Hello." }]], model: "gpt-5.5" });
  await using scene = await openScene(plan, context);
  const project = await installOurs(scene, context);
  const page = await pageAddress();
  await using server = await startServer(scene, page, context);
  await project.write("index.html", html);
  await project.write("page.js", script(server.url));
  const report = await project.run([node, vite, "build"]);
  const complaints = report.split("\n").filter((line) => /warn|externalized|error/i.test(line));
  if (complaints.length > 0) throw new Error(`Vite complains:\n${complaints.join("\n")}`);
  const preview = [node, vite, "preview", "--host", page.hostname, "--port", page.port];
  await using pages = scene.start([...preview, "--strictPort", project.folder]);
  await untilOpen(pages, Number(page.port), context.signal);
  await expectText(page.href, "completed: Hello.");
  return `vite ${version}: built a page with quire-agent/client without a warning; a turn ran in Chromium`;
}

async function pageAddress(): Promise<URL> {
  return new URL(`http://127.0.0.1:${await freePort()}`);
}

async function startServer(scene: Scene, { origin }: URL, { signal }: CheckContext) {
  const port = await freePort();
  const url = `ws://127.0.0.1:${port}`;
  const options = ["--listen", url, "--allow-origin", origin];
  const server = scene.start([process.execPath, resolve("bin/quire.js"), "app-server", ...options]);
  await untilOpen(server, port, signal);
  return { url, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

/** Opens a page and waits until it shows a text; throws with what it shows instead. */
async function expectText(url: string, text: string): Promise<void> {
  const running = await chromium.launch({ executablePath: browser, args: ["--no-sandbox"] });
  try {
    const page = await running.newPage();
    const errors: string[] = [];
    page.on("pageerror", ({ message }) => errors.push(message));
    await page.goto(url);
    await page
      .getByText(text)
      .waitFor({ timeout: 15_000 })
      .catch(async () => {
        const shown = await page.locator("body").textContent();
        throw new Error(`The page shows ${JSON.stringify(shown)}\n${errors.join("\n")}`);
      });
  } finally {
    await running.close();
  }
}

const html = `<!doctype html>
<title>A page with an agent</title>
<pre id="answer"></pre>
<script type="module" src="/page.js"></script>
`;

const script = (url: string) => `
import { connectAppServer, runTurn, ThreadFeed } from "quire-agent/client";

const shown = document.querySelector("#answer");
const client = await connectAppServer(${JSON.stringify(url)});
const feed = new ThreadFeed(client);
const { thread } = await client.request("thread/start", { sandbox: "read-only" });
let text = "";
const turn = await runTurn({
  client,
  feed,
  threadId: thread.id,
  start: () =>
    client.request("turn/start", { threadId: thread.id, input: [{ type: "text", text: "hi" }] }),
  onNotification({ method, params }) {
    if (method === "item/agentMessage/delta") text += params.delta;
  },
});
shown.textContent = turn.status + ": " + text;
await client.close();
`;
