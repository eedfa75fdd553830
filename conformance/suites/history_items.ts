import { parseResponseItem } from "../../src/protocol/read/index.js";
import type { ResponseItem, TurnItem } from "../../src/protocol/types.js";
import {
  isHistoryItem,
  lengthWithoutLastTurns,
  messageKind,
  normalizeItems,
  toTurnItem,
} from "../../src/rollout/index.js";
import type { SuiteAdapter } from "../suite.js";
import { differs } from "./differs.js";
import { type RunKind, runKind } from "./run-kind.js";

/** Items of a conversation, and those that clients see. */
export const suite: SuiteAdapter = {
  name: "history_items",
  run: (testCase) => runKind(kinds, testCase, undefined),
};

const kinds: Record<string, RunKind<undefined>> = {
  normalize: ({ items, expect }) => differs(normalizeItems(read(items)), expect),
  record: ({ items, expect }) => differs(read(items).filter(isHistoryItem), expect),
  rollback({ items, n, expect }) {
    const list = read(items);
    return differs(list.slice(0, lengthWithoutLastTurns(list, Number(n))), expect);
  },
  turn_item({ item, expect }) {
    const turnItem = toTurnItem(parseResponseItem(item), "");
    if (turnItem === undefined || expect === null) return differs(turnItem ?? null, expect);
    const facts = describe(turnItem);
    for (const [name, wanted] of Object.entries(expect as object)) {
      const difference = differs(facts[name], wanted);
      if (difference !== undefined) return `${name}: ${difference}`;
    }
    return undefined;
  },
  message_kind: ({ text, expect }) => differs(messageKind(String(text)), expect),
};

function describe(item: TurnItem): Record<string, unknown> {
  const kind = item.type.replaceAll(/\B[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
  const text = item.type === "AgentMessage" ? item.content.map((part) => part.text).join("") : "";
  return { text, ...item, kind };
}

function read(items: unknown): ResponseItem[] {
  return (items as unknown[]).map(parseResponseItem);
}
