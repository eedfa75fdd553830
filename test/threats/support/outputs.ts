import type { TestCodex } from "../../support/codex.js";

/** Outputs of the model's calls, in the last request. */
export function outputsOf({ prompts }: TestCodex): string[] {
  const items = prompts.at(-1)?.input ?? [];
  return items.flatMap((item) => ("output" in item ? [String(item.output)] : []));
}

/** Returns the outputs of calls in the body of a request to a model server. */
export function outputsIn(body: unknown): string[] {
  const { input = [] } = (body ?? {}) as { input?: { output?: unknown }[] };
  return input.flatMap(({ output }) => (output === undefined ? [] : [String(output)]));
}
