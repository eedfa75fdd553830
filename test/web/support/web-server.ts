import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BrowserContext, Page } from "playwright-core";
import { onTestFinished } from "vitest";
import { WebSocket } from "ws";
import { type AppServerClient, connectAppServer } from "../../../src/client/index.js";
import {
  listenScriptedModel,
  type Script,
  scriptedConfig,
} from "../../../src/model/scripted/index.js";
import { webSocketChannel } from "../../../src/transport/websocket-channel.js";
import { quireCommand } from "../../support/bin.js";
import { openContext } from "./browser.js";

/** Options of a server. */
export interface WebOptions {
  /** Answers of the model, or the address of one. */
  model?: Script | { baseUrl: string };
  /** Lines before the tables of config.toml; by default everything is allowed. */
  settings?: string;
  /** Prepares the home and the project. */
  furnish?(folders: { home: string; project: string }): void;
}

/** The built program as `quire web`, with pages in a browser; ends with the test. */
export async function startWeb(options: WebOptions = {}) {
  const root = mkdtempSync(join(tmpdir(), "quire-web-page-"));
  const [home, project] = [join(root, "home"), join(root, "project")];
  for (const folder of [home, project]) mkdirSync(folder);
  const { model = [] } = options;
  const scripted = "baseUrl" in model ? undefined : await listenScriptedModel({ script: model });
  const baseUrl = "baseUrl" in model ? model.baseUrl : (scripted?.baseUrl ?? "");
  const { settings } = options;
  const config = { baseUrl, retries: 0, ...(settings === undefined ? {} : { settings }) };
  writeFileSync(join(home, "config.toml"), scriptedConfig(config));
  options.furnish?.({ home, project });
  const env = { PATH: process.env.PATH ?? "", HOME: root, CODEX_HOME: home };
  let child: ChildProcess | undefined;
  const start = async (listen: string) => {
    child = spawn(...quireCommand(["web", "--listen", listen]), { cwd: project, env });
    return firstAddress(child);
  };
  const stop = async (signal: NodeJS.Signals) => {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.kill(signal);
    await ended;
  };
  let address = await start("127.0.0.1:0");
  const { origin, host } = new URL(address);
  onTestFinished(async () => {
    await stop("SIGKILL");
    await scripted?.close();
    await rm(root, { recursive: true, force: true });
  });
  return {
    home,
    project,
    origin,
    get address() {
      return address;
    },
    stop: () => stop("SIGTERM"),
    kill: () => stop("SIGKILL"),
    /** Keeps the process from running, as a hanging server or a dead line, until `thaw`. */
    freeze: () => child?.kill("SIGSTOP"),
    thaw: () => child?.kill("SIGCONT"),
    /** Starts again at the same address, after `stop`. */
    async restart() {
      address = await start(host);
    },
    /** Opens a paired page in a new browser profile. */
    async openPage(view: Parameters<typeof openContext>[0] = {}): Promise<Page> {
      const page = await (await openContext(view)).newPage();
      await page.goto(address);
      await page.getByRole("button", { name: "Pair" }).click();
      await connected(page);
      return page;
    },
    /** Opens another tab at an address, in the profile of a page. */
    async openTab(context: BrowserContext, url: string): Promise<Page> {
      const page = await context.newPage();
      await page.goto(url);
      await connected(page);
      return page;
    },
    /** Connects a program as a device of its own. */
    async connectProgram(code: string): Promise<AppServerClient> {
      const cookie = await pair(origin, code);
      const socket = new WebSocket(`${origin.replace("http", "ws")}/ws`, { headers: { cookie } });
      const opened = once(socket, "open");
      const [{ socket: carrier }] = await once(socket, "upgrade");
      const channel = webSocketChannel(socket, carrier);
      await opened;
      const client = await connectAppServer(channel);
      onTestFinished(() => client.close());
      return client;
    },
    /** Pairs a program, and returns the arguments and variables that connect a terminal to this server. */
    async remoteTerminal(code: string) {
      const QUIRE_TOKEN = (await pair(origin, code)).split("=")[1] ?? "";
      const url = origin.replace("http", "ws");
      const args = ["--remote", url, "--remote-auth-token-env", "QUIRE_TOKEN"];
      return { args, env: { QUIRE_TOKEN } };
    },
    /** Prints another pairing code, as `quire web pair` does. */
    async newCode(): Promise<string> {
      const pairing = spawn(...quireCommand(["web", "pair"]), { cwd: project, env });
      return codeIn(await firstAddress(pairing));
    },
  };
}

/** Waits until a page is connected. */
export async function connected(page: Page): Promise<void> {
  const status = page.getByRole("status", { name: "Connection" });
  await status.filter({ hasText: /^Connected/ }).waitFor();
}

/** Sends a message by keyboard. */
export async function send(page: Page, text: string): Promise<void> {
  await page.getByRole("textbox", { name: "Message" }).fill(text);
  await page.keyboard.press("Enter");
}

/** Returns the accessible name and text of all items. */
export function itemsOf(page: Page): Promise<[name: string, text: string][]> {
  return page
    .getByRole("article")
    .evaluateAll((all) =>
      all.map((one) => [one.getAttribute("aria-label") ?? "", one.textContent ?? ""]),
    );
}

/** Returns the pairing code of an address. */
export function codeIn(address: string): string {
  return new URLSearchParams(new URL(address).hash.slice(1)).get("pair") ?? "";
}

/** Pairs a program as a device of its own; returns its cookie. */
async function pair(origin: string, code: string): Promise<string> {
  const answer = await fetch(`${origin}/pair`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ code, name: "program" }),
  });
  const [cookie = ""] = String(answer.headers.get("set-cookie")).split(";");
  return cookie;
}

async function firstAddress(child: ChildProcess): Promise<string> {
  let output = "";
  child.stderr?.on("data", (data) => {
    output += data;
  });
  for await (const chunk of child.stdout ?? []) {
    output += chunk;
    const found = /^(http\S+)$/m.exec(output)?.[1];
    if (found !== undefined) return found;
  }
  throw new Error(`The server did not start: ${output}`);
}
