import { execFile } from "node:child_process";
import { resolve } from "node:path";
import { promisify } from "node:util";
import type { Check, CheckContext } from "../check.js";
import { clientRoutes } from "../client-routes.js";
import { expectIn } from "../expect.js";
import { inspectedText } from "../inspected.js";
import { openScene } from "../scene.js";
import { linkSubject } from "../subject.js";

const CLIENT = "acpx";
const CLIENT_VERSION = "0.19.1";
const ADAPTER = "@agentclientprotocol/codex-acp";
const ADAPTER_VERSION = "2.6.0";

/** A command line client of ACP, with our agent, or with the adapter for the reference. */
export const acp: readonly Check[] = [
  { name: "acpx", short: true, run: (context) => converse(context) },
];

/** Uses the command line client; `inspects` puts the adapter and the inspector before the subject. */
export async function converse(context: CheckContext): Promise<string> {
  const { packages, subject, signal, inspects = false } = context;
  const acpx = await packages.program(CLIENT, CLIENT_VERSION);
  const agent =
    subject === "ours" && !inspects
      ? [process.execPath, resolve("bin/quire.js"), "acp"]
      : await packages.program(ADAPTER, ADAPTER_VERSION);
  const plan = { script: { routes: clientRoutes }, model: "gpt-5.5" };
  await using scene = await openScene(() => plan, context);
  const [file = "", ...before] = [...acpx, "--agent", agent.join(" "), "--approve-all"];
  const { workspace: cwd } = scene;
  const path = inspects ? { CODEX_PATH: await linkSubject(scene, context) } : {};
  const env = { ...scene.env, ...path };
  const ask = async (prompt: string): Promise<string> => {
    const options = { cwd, env, signal, timeout: 60_000 };
    const args = [...before, "--format", "text", "exec", prompt];
    return (await promisify(execFile)(file, args, options)).stdout;
  };

  const [hello, command] = await Promise.all([ask("Say hello."), ask("Run a command.")]);
  expectIn("the answer", hello, "Hello.");
  expectIn("the command", command, "echo ran");
  expectIn("the answer after it", command, "It ran.");
  const inspected = inspects ? `; ${await inspectedText(scene)}` : "";
  return `${CLIENT} ${CLIENT_VERSION}: a message, a command${inspected}`;
}
