import { compactLimit } from "../../src/engine/tokens.js";
import { parseResponseItem } from "../../src/protocol/read/index.js";
import type { ContentItem } from "../../src/protocol/types.js";
import {
  type CompactionForm,
  collectUserMessages,
  contentText,
  toCompactedItems,
} from "../../src/rollout/index.js";
import { checkFact, checkFacts } from "../scenario/facts.js";
import { type InputEntry, textOf } from "../scenario/request-facts.js";
import { eraOf } from "../scenario/settings.js";
import type { SuiteAdapter, SuiteContext } from "../suite.js";
import { runWhole } from "./engine_scenarios.js";
import { type RunKind, runKind } from "./run-kind.js";

/** Conversations that are replaced by a summary of them. */
export const suite: SuiteAdapter = {
  name: "compaction",
  run: (testCase, context) => runKind(kinds, testCase, context),
};

const kinds: Record<string, RunKind<SuiteContext>> = {
  scenario: runWhole,

  content_to_text({ content, expect }) {
    const text = contentText(content as ContentItem[]);
    // A message without any text counts as no message.
    return checkFact({ text: text === "" ? null : text }, "text", expect);
  },

  collect_user_messages({ items, expect, era }) {
    const messages = collectUserMessages((items as unknown[]).map(parseResponseItem), formOf(era));
    return checkFact({ messages }, "messages", expect);
  },

  build_history({ initial_context, user_messages, summary, max_tokens, expect, era }) {
    const parts = {
      form: formOf(era),
      initialContext: ((initial_context ?? []) as unknown[]).map(parseResponseItem),
      userMessages: user_messages as string[],
      summary: String(summary ?? ""),
    };
    const items = toCompactedItems(
      parts,
      ...(max_tokens === undefined ? [] : [Number(max_tokens)]),
    );
    const entries = items as unknown as InputEntry[];
    const texts = entries.map(textOf);
    const facts = {
      len: items.length,
      texts,
      text: texts.join("\n"),
      first: texts[0],
      first_text: texts[0],
      last: texts.at(-1),
      last_text: texts.at(-1),
      roles: entries.map(({ role }) => role),
    };
    return checkFacts(facts, expect as object);
  },

  auto_compact_threshold({ given, expect, era, ...own }) {
    const facts = { ...own, ...(given as object | undefined) };
    const limit = compactLimit({
      configured: numberIn(facts, limitNames),
      window: numberIn(facts, windowNames),
      era: eraOf(era),
    });
    return checkFact({ limit: limit ?? null }, "limit", expect);
  },
};

const limitNames = ["model_auto_compact_token_limit", "auto_compact_token_limit", "limit"];
const windowNames = ["model_context_window", "context_window", "window"];

/** The number that goes by one of these names. */
function numberIn(facts: Record<string, unknown>, names: string[]): number | undefined {
  const value = names.map((name) => facts[name]).find((value) => value != null);
  return value === undefined ? undefined : Number(value);
}

function formOf(era: string): CompactionForm {
  return eraOf(era).engine.compactedHistory;
}
