import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { ResponseItem } from "../../src/protocol/types.js";
import { readConversation } from "../../src/rollout/index.js";
import { explainMissingTraces, hasTraces } from "../protocol/shared.js";
import { temporaryHome } from "./support.js";

const traces = "../shared/traces";

/** The reference lost a response here while it resumed the conversation. */
const reordered = "0.45.0-app-server-v1-resume-conversation.jsonl";

describe.skipIf(!hasTraces)("rollouts that versions of the reference left", () => {
  const names = hasTraces ? readdirSync(join(traces, "rollout")) : [];

  test.each(names)("%s contains the items sent to the model", async (name) => {
    await using home = await temporaryHome();
    const text = readFileSync(join(traces, "rollout", name), "utf8");
    const lineEnd = text.indexOf("\n");
    const { from_trace } = (JSON.parse(text.slice(0, lineEnd)) as Meta).msg;
    const path = home.write("r.jsonl", [text.slice(lineEnd + 1)]);

    const conversation = await readConversation(path);

    expect(conversation.warnings).toEqual([]);
    if (name === reordered) return;
    const shown = lastInput(from_trace, conversation.id);
    const told = conversation.items.slice(0, shown.length).map(comparable);
    expect(told).toEqual(shown.map((item, index) => filledIn(item, told[index])));
    for (const item of conversation.items.slice(shown.length)) expect(item).toSatisfy(isAnswer);
  });
});

explainMissingTraces();

interface Meta {
  msg: { from_trace: string };
}

interface TraceLine {
  dir: string;
  msg: { body?: { input?: ResponseItem[]; prompt_cache_key?: string } };
}

/** Returns the items last sent to the model, as its rollout can contain them. */
function lastInput(trace: string, id: string): ResponseItem[] {
  const lines = readFileSync(join(traces, trace), "utf8").split("\n").filter(Boolean);
  const bodies = lines.flatMap((one) => {
    const { dir, msg } = JSON.parse(one) as TraceLine;
    return dir === "model_request" && msg.body?.prompt_cache_key === id ? [msg.body] : [];
  });
  const input = (bodies.at(-1)?.input ?? []).map(comparable);
  const isRepeated = (item: ResponseItem, index: number) =>
    index > 0 && JSON.stringify(item) === JSON.stringify(input[index - 1]);
  // Version 0.42 sends input twice that arrived during a command.
  const once = input.filter((item, index) => !isRepeated(item, index));
  // Version 0.166 sends its base instructions in the input; no rollout contains them.
  return trace.startsWith("app-server-166") ? once.slice(1) : once;
}

/** Drops fields that only one of the two sides has. */
function comparable(item: ResponseItem): ResponseItem {
  const { id: _, status: __, ...rest } = item as ResponseItem & { id?: string; status?: string };
  if ("content" in rest && rest.content) {
    const content = rest.content.map((part) => {
      const { annotations: ___, ...kept } = part as typeof part & { annotations?: unknown };
      return kept;
    });
    return { ...rest, content } as ResponseItem;
  }
  const isOutput = rest.type.endsWith("_output") && "output" in rest;
  return isOutput
    ? ({ ...rest, output: plainOutput(rest.output) } as ResponseItem)
    : (rest as ResponseItem);
}

/** Some versions record the result of a command as JSON but send it as text. */
function plainOutput(output: unknown): unknown {
  if (typeof output !== "string" || !output.startsWith('{"output"')) return output;
  const parsed = JSON.parse(output) as { output: string; metadata: Record<string, number> };
  const { exit_code, duration_seconds } = parsed.metadata;
  return `Exit code: ${exit_code}\nWall time: ${duration_seconds} seconds\nOutput:\n${parsed.output}`;
}

/** Texts of the reference are cut from traces; the parts we send must match. */
function filledIn(shown: ResponseItem, told: ResponseItem | undefined): ResponseItem | undefined {
  const [, list] = /"<prose>\[contains: (.*)\]"/.exec(JSON.stringify(shown)) ?? [];
  if (list === undefined) return shown;
  const wanted = JSON.parse(`[${JSON.parse(`"${list}"`)}]`) as string[];
  for (const text of wanted) expect(JSON.stringify(told)).toContain(text);
  return told;
}

/** Items after the last request are the model's response to it. */
function isAnswer(item: ResponseItem): boolean {
  return item.type !== "message" || item.role === "assistant";
}
