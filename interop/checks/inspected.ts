import { mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Check, CheckContext } from "../check.js";
import { freePort, untilOpen } from "../http-server.js";
import { inspectedText } from "../inspected.js";
import type { Scene } from "../scene.js";
import { inspectedFolder } from "../subject.js";
import { converse } from "./acp.js";
import { useOwnUi } from "./fleet-own-ui.js";
import { runSdk } from "./sdk.js";
import { runPythonSuite } from "./sdk-suites.js";
import { type UiServer, useTerminalUi } from "./terminal-ui.js";

/** The inspector between clients and both servers: what the clients get stays the same. */
export const inspected: readonly Check[] = (["ours", "reference"] as const).flatMap((subject) => [
  check(`inspect-sdk-python-${subject}`, subject, (context) =>
    // The checkout of the suite is newer than the reference.
    subject === "ours"
      ? runPythonSuite({ ...context, inspects: true })
      : runPythonSuite({ ...context, inspects: true }, { tests: 68, mayFail: 4 }),
  ),
  check(`inspect-sdk-typescript-${subject}`, subject, (context) =>
    runSdk("0.163.0", { takesImages: true, short: false }, { ...context, inspects: true }),
  ),
  check(`inspect-codex-acp-${subject}`, subject, (context) =>
    converse({ ...context, inspects: true }),
  ),
  check(`inspect-terminal-ui-${subject}`, subject, (context) => watched(useTerminalUi, context)),
  check(`inspect-own-ui-${subject}`, subject, (context) => watched(useOwnUi, context)),
]);

function check(name: string, subject: CheckContext["subject"], run: Check["run"]): Check {
  return { name, short: false, run: (context) => run({ ...context, subject }) };
}

type UseUi = (
  context: CheckContext,
  start: (scene: Scene, codex: string, context: CheckContext) => Promise<UiServer>,
) => Promise<string>;

/** Runs a terminal UI at an inspector that listens, and adds what it has seen. */
async function watched(useUi: UseUi, context: CheckContext): Promise<string> {
  let seen = "";
  const start = async (scene: Scene, codex: string, { signal }: CheckContext) => {
    const url = `ws://127.0.0.1:${await freePort()}`;
    await mkdir(inspectedFolder(scene));
    const output = join(inspectedFolder(scene), "terminal.jsonl");
    const inspect = [process.execPath, resolve("bin/quire.js"), "inspect", "--listen", url];
    const shown = ["--format", "jsonl", "-o", output];
    const program = scene.start([...inspect, ...shown, "--", codex, "app-server"]);
    await untilOpen(program, Number(new URL(url).port), signal);
    return {
      url,
      async [Symbol.asyncDispose]() {
        await program[Symbol.asyncDispose]();
        seen = await inspectedText(scene);
      },
    };
  };
  const done = await useUi(context, start);
  return `${done}; ${seen}`;
}
