import { isRecord } from "../../protocol/read/check.js";
import type { FunctionToolSpec } from "../../protocol/types.js";
import type { DeferrableSpec } from "../tool-box.js";

/**
 * Returns the definitions that match a query best, at most `limit` functions.
 *
 * Functions are ranked by BM25 over their name, their description and the names of their parameters; those
 * of one namespace are returned together. Equal ones keep their order.
 */
export function rankTools(
  specs: readonly DeferrableSpec[],
  query: string,
  limit: number,
): DeferrableSpec[] {
  const documents = specs.flatMap(toDocuments);
  const scores = scoresOf(documents, new Set(toWords(query)));
  const ranked = documents
    .map((document, index) => ({ document, score: scores[index] ?? 0 }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .slice(0, Math.max(0, limit));
  return grouped(ranked.map(({ document }) => document));
}

/** A function that can be found. */
interface Document {
  spec: DeferrableSpec;
  tool: FunctionToolSpec;
  words: readonly string[];
}

function toDocuments(spec: DeferrableSpec): Document[] {
  const isGroup = spec.type === "namespace";
  const tools = isGroup ? spec.tools : [spec];
  return tools.map((tool) => {
    const { name, description, parameters } = tool;
    const properties = isRecord(parameters) ? parameters.properties : undefined;
    const names = isRecord(properties) ? Object.keys(properties) : [];
    const text = [isGroup ? spec.name : "", name, description, ...names].join(" ");
    return { spec, tool, words: toWords(text) };
  });
}

/** Returns the words of a text in lower case; `getUserName` and `get_user_names` have the same words. */
function toWords(text: string): string[] {
  const parts = text.replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2").toLowerCase();
  const words = parts.match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.map((word) => (word.length > 3 && word.endsWith("s") ? word.slice(0, -1) : word));
}

/** Saturation of repeated words, and influence of the length, as usual for BM25. */
const [saturation, lengthInfluence] = [1.2, 0.75];

function scoresOf(documents: readonly Document[], query: ReadonlySet<string>): number[] {
  const total = documents.reduce((sum, { words }) => sum + words.length, 0);
  const average = total / Math.max(1, documents.length);
  const scores = documents.map(() => 0);
  for (const word of query) {
    const counts = documents.map(({ words }) => words.filter((one) => one === word).length);
    const found = counts.filter((count) => count > 0).length;
    const rarity = Math.log(1 + (documents.length - found + 0.5) / (found + 0.5));
    for (const [index, count] of counts.entries()) {
      if (count === 0) continue;
      const length = (documents[index]?.words.length ?? 0) / average;
      const weight = saturation * (1 - lengthInfluence + lengthInfluence * length);
      scores[index] = (scores[index] ?? 0) + (rarity * count * (saturation + 1)) / (count + weight);
    }
  }
  return scores;
}

function grouped(found: readonly Document[]): DeferrableSpec[] {
  const groups = new Map<DeferrableSpec, FunctionToolSpec[]>();
  for (const { spec, tool } of found) {
    const deferred = { ...tool, defer_loading: true };
    const group = groups.get(spec);
    if (group === undefined) groups.set(spec, [deferred]);
    else group.push(deferred);
  }
  return [...groups].flatMap(([spec, tools]): DeferrableSpec[] =>
    spec.type === "namespace" ? [{ ...spec, tools }] : tools,
  );
}
