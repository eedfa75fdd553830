import { existsSync } from "node:fs";
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
} from "playwright-core";
import { afterAll, onTestFinished } from "vitest";

const executablePath = "/usr/bin/chromium";

/** True if there is a browser; without one the tests are skipped, except on CI. */
export const hasBrowser = existsSync(executablePath) || process.env.CI === "true";

let running: Promise<Browser> | undefined;

/** Opens a browser profile, which ends with the test; all tests of a file share the browser. */
export async function openContext(options: BrowserContextOptions = {}): Promise<BrowserContext> {
  running ??= chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
  const browser = await running;
  const viewport = { width: 1200, height: 800 };
  const context = await browser.newContext({ viewport, reducedMotion: "reduce", ...options });
  context.setDefaultTimeout(15_000);
  onTestFinished(() => context.close());
  return context;
}

/** Ends the browser after the tests of this file. */
export function closeBrowserAtEnd(): void {
  afterAll(async () => {
    await (await running)?.close();
    running = undefined;
  });
}
