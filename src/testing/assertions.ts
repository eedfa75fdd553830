/** A model that records its requests: `scriptedModel` or `listenScriptedModel`. */
export interface AskedModel {
  /** The requests so far. */
  readonly requests: readonly { body: unknown }[];
}

/** Throws unless the model was sent this number of requests. */
export function assertAskedTimes({ requests }: AskedModel, count: number): void {
  if (requests.length === count) return;
  throw new Error(`Expected ${count} requests to the model (got ${requests.length})`);
}

/** Throws unless the last request to the model has the text in its input. */
export function assertAsked({ requests }: AskedModel, text: string): void {
  const input = JSON.stringify(bodyOf(requests).input ?? null);
  if (input.includes(JSON.stringify(text).slice(1, -1))) return;
  throw new Error(`Expected the last request to contain ${JSON.stringify(text)} (got ${input})`);
}

/** Throws unless the last request to the model offers a tool of this name. */
export function assertOffered({ requests }: AskedModel, tool: string): void {
  const { tools = [] } = bodyOf(requests);
  const names = tools.map(({ name, type }) => name ?? type);
  if (names.includes(tool)) return;
  throw new Error(
    `Expected the tool \`${tool}\` to be offered (got ${names.join(", ") || "none"})`,
  );
}

interface RequestBody {
  input?: unknown;
  tools?: readonly { name?: string; type: string }[];
}

function bodyOf(requests: AskedModel["requests"]): RequestBody {
  const last = requests.at(-1);
  if (last === undefined) throw new Error("Expected a request to the model (got none)");
  return last.body as RequestBody;
}
