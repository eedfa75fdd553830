import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import type { Check, CheckContext } from "../check.js";
import { openScene, type Scene } from "../scene.js";
import { startFleet } from "../scene-fleet.js";
import { linkSubject } from "../subject.js";
import { Terminal } from "../terminal.js";
import { terminalRoutes } from "../terminal-routes.js";
import type { UiServer } from "./terminal-ui.js";

/** Our own terminal UI at the gateway of a fleet; it does not know that the threads run elsewhere. */
export const fleetOwnUi: Check = {
  name: "fleet-own-ui",
  short: false,
  run: (context) => useOwnUi(context, startFleet),
};

/** Uses our terminal UI with a server; returns what was done, and throws if a step fails. */
export async function useOwnUi(
  context: CheckContext,
  start: (scene: Scene, codex: string, context: CheckContext) => Promise<UiServer>,
): Promise<string> {
  await using scene = await openScene(
    () => ({ script: { routes: terminalRoutes }, model: "gpt-5.5", asks: true }),
    context,
  );
  const { workspace, env } = scene;
  await promisify(execFile)("git", ["init", "-q"], { cwd: workspace, env });
  await writeFile(join(workspace, "boats.txt"), "three\n");
  const codex = await linkSubject(scene, context);
  await using server = await start(scene, codex, context);
  const own = [process.execPath, resolve("bin/quire.js"), "--remote", server.url];
  await using terminal = await Terminal.open(scene, own, context.signal);
  const done: string[] = [];
  for (const [name, { types, answer, shows }] of Object.entries(steps)) {
    try {
      if (done.length === 0) await terminal.until(/gpt-5\.5/);
      await terminal.say(types);
      if (answer !== undefined) {
        await terminal.until(answer.to);
        await terminal.press(answer.key);
      }
      await terminal.until(shows);
    } catch (error) {
      throw new Error(`${name}, after ${done.join(", ")}: ${(error as Error).message}`);
    }
    done.push(name);
  }
  await terminal.say("/quit");
  await terminal.untilClosed();
  return `quire --remote: ${[...done, "quit"].join(", ")}`;
}

interface Step {
  types: string;
  answer?: { to: RegExp; key: string };
  shows: RegExp;
}

const steps: Record<string, Step> = {
  message: { types: "Say hello.", shows: /Hello from the harbour/ },
  approval: {
    types: "Make a file.",
    answer: { to: /Allow this command to run/, key: "y" },
    shows: /The file is made/,
  },
  patch: { types: "Add a boat.", shows: /boats\.txt.*The boat is added/s },
};
