import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Check, CheckContext } from "../check.js";
import { expectSeen, runClient } from "../client-program.js";
import { clientRoutes } from "../client-routes.js";
import { expectIn } from "../expect.js";
import { inspectedText } from "../inspected.js";
import { openScene } from "../scene.js";
import { startFleet } from "../scene-fleet.js";
import { linkSubject } from "../subject.js";

const SDK = "@openai/codex-sdk";

/** The official SDK, unmodified, with our program in place of the one it brings along. */
export const sdk: readonly Check[] = [
  useSdk("0.163.0", { takesImages: true, short: true }),
  useSdk("0.46.0", { takesImages: false, short: false }),
  useSdk("0.163.0", { takesImages: true, short: false, onFleet: true }),
];

interface SdkVersion {
  /** Pictures and aborting came later. */
  takesImages: boolean;
  short: boolean;
  /** Runs its threads on a fleet. */
  onFleet?: boolean;
}

function useSdk(version: string, options: SdkVersion): Check {
  const { short, onFleet = false } = options;
  return {
    name: onFleet ? `fleet-sdk-${version}` : `sdk-${version}`,
    short,
    run: (context) => runSdk(version, options, context),
  };
}

export async function runSdk(
  version: string,
  { takesImages, onFleet = false }: SdkVersion,
  context: CheckContext,
): Promise<string> {
  const library = await context.packages.library(SDK, version);
  await using scene = await openScene(
    () => ({ script: { routes: clientRoutes }, model: "gpt-5.5" }),
    context,
  );
  const image = join(scene.workspace, "dot.png");
  await writeFile(image, Buffer.from(dot, "base64"));
  const { workspace } = scene;
  const own = await linkSubject(scene, context);
  await using fleet = onFleet ? await startFleet(scene, own, context) : undefined;
  const options = { library, codex: fleet?.codex ?? own, workspace };
  const seen = await runClient(scene, "sdk.mjs", takesImages ? { ...options, image } : options);

  const first = { answer: "Hello.", items: ["agent_message"], usage: true, hasId: true };
  expectSeen(seen, "run", first);
  expectSeen(seen, "command", { exitCode: 0, output: "ran" });
  expectSeen(seen, "streamed", { seen: streamed });
  expectSeen(seen, "resume", { answer: "Went on.", same: true });
  expectSeen(seen, "schema", { answer: { word: "ok" } });
  if (takesImages) {
    expectSeen(seen, "image", { answer: "A dot." });
    expectSeen(seen, "abort", { name: "AbortError" });
  }
  expectIn("the error", String(seen.get("error")?.message), "the model is out");
  const asked = JSON.stringify(scene.asked());
  expectIn("what the model was asked", asked, '"json_schema"', '"Go on."');
  if (takesImages) expectIn("what the model was asked", asked, "data:image/png;base64,");
  const inspected = context.inspects ? `; ${await inspectedText(scene, false)}` : "";
  return `${SDK} ${version}: ${[...seen.keys()].join(", ")}${inspected}`;
}

const streamed = [
  "thread.started",
  "turn.started",
  "item.started command_execution",
  "item.completed command_execution",
  "item.completed agent_message",
  "turn.completed",
];

const dot =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
