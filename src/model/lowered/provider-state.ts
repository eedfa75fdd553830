import { type JsonRecord, parseRecord } from "../../protocol/read/check.js";
import type { ReasoningItem } from "../../protocol/types.js";
import type { ModelProvider } from "../types.js";

/** Distinguishes state of these APIs from what servers of the Responses API encrypt. */
const mark = "quire-state:";

/**
 * Serializes what a server wants back with its answer, such as signatures of thoughts.
 *
 * It is stored as the encrypted content of a reasoning item, so that the log, forks and resumed threads have it.
 */
export function packState(provider: StateOwner, state: JsonRecord): string {
  return `${mark}${JSON.stringify({ from: ownerOf(provider), ...state })}`;
}

/** Returns the state of an item; `undefined` if it has none, or one of another server, which must not see it. */
export function unpackState(provider: StateOwner, item: ReasoningItem): JsonRecord | undefined {
  if (!hasState(item)) return undefined;
  const state = parseRecord(item.encrypted_content?.slice(mark.length) ?? "");
  return state?.from === ownerOf(provider) ? state : undefined;
}

/** Returns true if an item has the state of a server of another API than Responses. */
export function hasState({ encrypted_content }: ReasoningItem): boolean {
  return encrypted_content?.startsWith(mark) ?? false;
}

type StateOwner = Pick<ModelProvider, "wire_api" | "base_url">;

function ownerOf({ wire_api, base_url = "" }: StateOwner): string {
  return `${wire_api} ${base_url}`;
}
