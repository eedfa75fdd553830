import { says } from "../../support/model.js";
import { callsOf, type Rule } from "./rules.js";
import { createScene, isIntact, madeIn } from "./scene.js";
import type { Surface } from "./surfaces.js";
import { secret, toolRows } from "./tool-rows.js";

/** What happened on the host and to the model in one turn. */
export interface Outcome {
  /** For each attempt of the rule, a word for each tool. */
  words: readonly Readonly<Record<string, string>>[];
  /** Files that calls have made. */
  made: string[];
  /** Signs that something got through, found in the requests to the model or in the client's messages. */
  leaks: string[];
}

/** Kinds of answers that the model gets to a call. */
const answers: readonly (readonly [RegExp, string])[] = [
  [/unsupported call: (client_tool|request_user_input)/, "absent"],
  [/blocked by PreToolUse hook: no\b/, "blocked"],
  [/Permission denied/, "permission denied"],
  [/Read-only file system/, "read-only"],
  [/patch rejected/, "rejected"],
  [/"file_system":null/, "not granted"],
  [/unknown MCP server|unsupported call: (mcp|tool_search)/, "not available"],
  [
    /^attached local image path$|^Plan updated$|^\{"answers"|^\{"goal":|"ran"|request failed|^\{"accepted":|^It is .* UTC\.$|\nSleep completed\.$|^\{"tools":\[\]\}$/,
    "permitted",
  ],
];

/** Runs all calls that try to break a rule in one turn on a surface, and looks at the host. */
export async function outcomeOf(rule: Rule, surface: Surface): Promise<Outcome> {
  const script = [...rule.attempts.map(callsOf), says("Done.")];
  await using scene = await createScene({ ...rule.scene, script });
  const received = await surface.run(scene);
  const requests = scene.model.requests.map(({ body }) => body as Request);
  if (requests.length !== script.length) {
    throw new Error(`The turn ended early on ${surface.name}: ${received.slice(-2_000)}`);
  }
  const sent = JSON.stringify(requests);
  const isShown = (word: string) => received.includes(word);
  const shown = toolRows.filter(({ isVisible, id }) => isVisible && isShown(`made-${id}`));
  return {
    words: rule.attempts.map((_, index) => wordsOf(requests.slice(index, index + 2))),
    made: madeIn(scene),
    leaks: [
      ...(sent.includes("data:image") ? ["image sent"] : []),
      ...(sent.includes(secret) ? ["secret sent"] : []),
      ...(isShown(secret) ? ["secret shown"] : []),
      ...(isIntact(scene) ? [] : ["denied file changed"]),
      ...(sent.includes('"web_search"') ? ["web search offered"] : []),
      ...shown.map(({ id }) => `${id} shown`),
    ],
  };
}

interface Request {
  input: readonly { call_id?: string; output?: unknown }[];
}

/** Returns the answers that the second of two requests adds, as words. */
function wordsOf([before, after]: readonly Request[]): Record<string, string> {
  const added = after?.input.slice(before?.input.length) ?? [];
  const outputs = added.filter(({ output }) => output !== undefined);
  return Object.fromEntries(outputs.map(({ call_id, output }) => [call_id, wordOf(output)]));
}

function wordOf(output: unknown): string {
  const text = typeof output === "string" ? output : JSON.stringify(output);
  return answers.find(([fits]) => fits.test(text))?.[1] ?? text;
}
