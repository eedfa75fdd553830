import type { Check, CheckContext } from "../check.js";
import { expectSeen, runClient, type Seen } from "../client-program.js";
import { clientRoutes } from "../client-routes.js";
import { expectIn } from "../expect.js";
import { openScene } from "../scene.js";
import { linkSubject } from "../subject.js";

/** Providers of the AI SDK that start an app-server and speak to it. */
export const aiSdk: readonly Check[] = [
  useProvider("ai-sdk-provider-codex-app-server", "1.1.7", "finished as error"),
  useProvider("ai-sdk-provider-codex-cli", "1.4.1", "the model is out"),
];

// The last ones that run on Node 20.
const beside = ["ai@6.0.319", "zod@4.4.3"];

/** `failure` is the text its users see for a model that fails: not all of them pass the message through. */
function useProvider(name: string, version: string, failure: string): Check {
  const run = async (context: CheckContext) => {
    const seen = await runProvider(name, version, context);
    expectIn("the error", String(seen.get("error")?.message), failure);
    return `${name} ${version}: ${[...seen.keys()].join(", ")}`;
  };
  return { name, short: false, run };
}

async function runProvider(
  name: string,
  version: string,
  context: CheckContext,
): Promise<Map<string, Seen>> {
  const library = await context.packages.library(name, version, beside);
  const plan = { script: { routes: clientRoutes }, model: "gpt-5.5" };
  await using scene = await openScene(() => plan, context);
  const codex = await linkSubject(scene, context);
  const seen = await runClient(scene, "ai-sdk.mjs", { library, codex, workspace: scene.workspace });

  expectSeen(seen, "generate", { text: "Hello.", finished: "stop" });
  expectSeen(seen, "stream", { text: "One two three.", inPieces: true });
  expectSeen(seen, "command", { text: "It ran.", tools: ["tool-call", "tool-result"] });
  expectSeen(seen, "object", { object: { word: "ok" } });
  expectSeen(seen, "thread", { hasId: true, same: true, text: "Went on." });
  return seen;
}
