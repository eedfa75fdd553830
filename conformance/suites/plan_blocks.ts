import { isDeepStrictEqual } from "node:util";
import { type PlanPiece, PlanSplitter, withoutPlans } from "../../src/engine/plan-blocks.js";
import type { SuiteAdapter } from "../suite.js";

/** Plans in a message that streams. */
export const suite: SuiteAdapter = {
  name: "plan_blocks",
  run({ chunks, text, expect }) {
    if (typeof text === "string" && typeof expect === "string") {
      const left = withoutPlans(text);
      return left === expect ? undefined : JSON.stringify(left);
    }
    const splitter = new PlanSplitter();
    const pieces = (chunks as string[]).flatMap((chunk) => splitter.push(chunk));
    pieces.push(...splitter.end());
    const wanted = (expect as Record<string, unknown>[]).map(toPiece);
    return isDeepStrictEqual(pieces, wanted) ? undefined : JSON.stringify(pieces);
  },
};

function toPiece(expected: Record<string, unknown>): PlanPiece {
  if (expected.plan_start) return { type: "plan_start" };
  if (expected.plan_end) return { type: "plan_end" };
  if (typeof expected.plan_delta === "string")
    return { type: "plan_text", text: expected.plan_delta };
  const [text] = Object.values(expected);
  return { type: "text", text: String(text) };
}
