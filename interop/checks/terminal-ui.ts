import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Check, CheckContext } from "../check.js";
import { freePort, untilOpen } from "../http-server.js";
import { openScene, type Scene } from "../scene.js";
import { startFleet } from "../scene-fleet.js";
import { linkSubject } from "../subject.js";
import { Terminal } from "../terminal.js";
import { terminalRoutes } from "../terminal-routes.js";

const VERSION = "0.166.0";
/** Acceptable number of warnings; most come from the program itself, cut off from the network. */
const MOST_WARNINGS = 10;
const READY = /Ask Codex to do anything/;

/** The terminal UI of the reference, as a client of our server. */
export const terminalUi: readonly Check[] = [
  { name: `terminal-ui-${VERSION}`, short: false, run: (context) => useTerminalUi(context) },
  {
    name: `fleet-terminal-ui-${VERSION}`,
    short: false,
    run: (context) => useTerminalUi(context, startFleet, notOnFleets),
  },
];

/** A server for the terminal UI. Dispose it. */
export interface UiServer extends AsyncDisposable {
  url: string;
}

async function startServer(scene: Scene, codex: string, context: CheckContext): Promise<UiServer> {
  const url = `ws://127.0.0.1:${await freePort()}`;
  const server = scene.start([codex, "app-server", "--listen", url]);
  await untilOpen(server, Number(new URL(url).port), context.signal);
  return { url, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

/** `/model` saves a default model, but settings belong to the workers. */
const notOnFleets: ReadonlySet<string> = new Set(["/model"]);

/** Uses the terminal UI of the reference; returns what was done, and throws if a step fails. */
export async function useTerminalUi(
  context: CheckContext,
  start = startServer,
  omitted: ReadonlySet<string> = new Set(),
): Promise<string> {
  const codex = await context.packages.program("@openai/codex", VERSION);
  await using scene = await openScene(toPlan, context);
  await makeRepository(scene);
  await using server = await start(scene, await linkSubject(scene, context), context);
  const command = [...codex, "--remote", server.url];
  await using terminal = await Terminal.open(scene, command, context.signal);

  const done: string[] = [];
  let [warnings, before] = [0, 0];
  for (const [name, step] of Object.entries(steps)) {
    if (omitted.has(name)) continue;
    try {
      await step(terminal);
    } catch (error) {
      throw new Error(`${name}, after ${done.join(", ")}: ${(error as Error).message}`);
    }
    const shown = warningsOn(await terminal.screen());
    warnings += Math.max(0, shown - before);
    before = shown;
    context.note(`${name} is done, with ${shown} warnings in view`);
    done.push(name);
  }
  await quit(terminal);
  const words = `codex --remote ${VERSION}: ${[...done, "quit"].join(", ")}; ${warnings} warnings`;
  if (warnings > MOST_WARNINGS) throw new Error(`${words}, more than ${MOST_WARNINGS}`);
  return words;
}

/** The footer counts the warnings so far in a conversation. */
function warningsOn(screen: string): number {
  return Number(/(\d+) warnings? · f2/.exec(screen)?.[1] ?? 0);
}

/** The terminal closes with the program that runs in it. */
async function quit(terminal: Terminal): Promise<void> {
  await terminal.say("/quit");
  await terminal.untilClosed();
}

function toPlan() {
  // Not offered another model.
  const config = `[notice.model_migrations]
"gpt-5.5" = "gpt-6-sol"
`;
  return { script: { routes: terminalRoutes }, model: "gpt-5.5", config, asks: true };
}

async function makeRepository({ workspace, env }: Scene): Promise<void> {
  await promisify(execFile)("git", ["init", "-q"], { cwd: workspace, env });
  await writeFile(join(workspace, "boats.txt"), "three\n");
}

type Step = (terminal: Terminal) => Promise<void>;

/** Steps of a user, each up to the text that the screen must show. */
const steps: Record<string, Step> = {
  async start(terminal) {
    if ((await terminal.until(/Do you trust/i, READY)) === 1) return;
    await terminal.press("Enter");
    await terminal.until(READY);
  },
  async message(terminal) {
    await terminal.say("Say hello.");
    await terminal.until(/Hello from the harbour/);
  },
  async approval(terminal) {
    await terminal.say("Make a file.");
    await terminal.until(/Would you like to run the following command/);
    await terminal.press("y");
    await terminal.until(/The file is made/);
  },
  async patch(terminal) {
    await terminal.say("Add a boat.");
    await terminal.until(/Edited boats\.txt.*The boat is added/s);
  },
  async "/status"(terminal) {
    await terminal.say("/status");
    await terminal.until(/Model:.*GPT-5\.5.*Session:/s);
  },
  async steer(terminal) {
    await terminal.say("Count slowly.");
    await terminal.until(/One, two/);
    await terminal.say("Count backwards.");
    await terminal.until(/Three, two, one/);
  },
  async interrupt(terminal) {
    await terminal.say("Wait for the ferry.");
    await terminal.until(/The ferry is/);
    await terminal.press("Escape");
    await terminal.until(/Conversation interrupted/);
  },
  async "/compact"(terminal) {
    await terminal.say("/compact");
    await terminal.until(/Context compacted/);
  },
  async "/review"(terminal) {
    await terminal.say("/review");
    await terminal.until(/Select a review preset/);
    await terminal.press("Down");
    await terminal.press("Enter");
    await terminal.until(/Boats sink.*Ask Codex/s);
  },
  async "/model"(terminal) {
    await terminal.say("/model");
    await terminal.until(/Select Model/);
    await terminal.press("Escape");
    await terminal.until(/^(?!.*Select Model).*Ask Codex/s);
    await terminal.say("/model");
    await terminal.until(/Select Model/);
    await terminal.press("Enter");
    if ((await terminal.until(/Model changed to/, /Select Reasoning Level/)) === 0) return;
    await terminal.press("Enter");
    await terminal.until(/Model changed to/);
  },
  async "/new"(terminal) {
    await terminal.say("/new");
    await terminal.until(/^(?!.*Boats sink).*Ask Codex/s);
    await terminal.say("Begin another logbook.");
    await terminal.until(/Another logbook it is/);
  },
  async "/resume"(terminal) {
    await terminal.say("/resume");
    await terminal.until(/Resume a previous session.*ago/s);
    await terminal.press("Down");
    await terminal.press("Enter");
    await terminal.until(
      /The boat is added.*Context compacted.*review started.*review finished.*Boats sink.*Ask Codex/s,
    );
    await terminal.say("Take up the logbook.");
    await terminal.until(/Here is the logbook/);
  },
};
