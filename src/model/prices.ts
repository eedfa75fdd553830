/** Price of a model in US dollars per million tokens. */
export interface ModelPrice {
  input: number;
  cached_input: number;
  output: number;
}

/** Tokens of responses, as counted by model servers: cached input is part of the input. */
export interface PricedTokens {
  input: number;
  cachedInput: number;
  output: number;
}

/**
 * List prices of OpenAI's API, as of their introduction. A model that is not here has no known price: those of some
 * models depend on the length of the context, which this table cannot express.
 */
const known: Readonly<Record<string, ModelPrice>> = {
  "gpt-5.4-mini": { input: 0.75, cached_input: 0.075, output: 4.5 },
  "gpt-5.4-nano": { input: 0.2, cached_input: 0.02, output: 1.25 },
  "gpt-5.3-codex": { input: 1.75, cached_input: 0.175, output: 14 },
  "gpt-5.2": { input: 1.75, cached_input: 0.175, output: 14 },
  "gpt-5.2-codex": { input: 1.75, cached_input: 0.175, output: 14 },
  "gpt-5.1": { input: 1.25, cached_input: 0.125, output: 10 },
  "gpt-5.1-codex": { input: 1.25, cached_input: 0.125, output: 10 },
  "gpt-5.1-codex-max": { input: 1.25, cached_input: 0.125, output: 10 },
  "gpt-5.1-codex-mini": { input: 0.25, cached_input: 0.025, output: 2 },
  "gpt-5": { input: 1.25, cached_input: 0.125, output: 10 },
  "gpt-5-codex": { input: 1.25, cached_input: 0.125, output: 10 },
  "gpt-5-mini": { input: 0.25, cached_input: 0.025, output: 2 },
  "gpt-5-nano": { input: 0.05, cached_input: 0.005, output: 0.4 },
  "codex-mini-latest": { input: 1.5, cached_input: 0.375, output: 6 },
  o3: { input: 2, cached_input: 0.5, output: 8 },
  "o4-mini": { input: 1.1, cached_input: 0.275, output: 4.4 },
  "gpt-4.1": { input: 2, cached_input: 0.5, output: 8 },
  "gpt-4.1-mini": { input: 0.4, cached_input: 0.1, output: 1.6 },
  "gpt-4o": { input: 2.5, cached_input: 1.25, output: 10 },
};

/** Prices of the user's config by model. */
export type ConfiguredPrices = Readonly<
  Record<string, Partial<Record<keyof ModelPrice, number | undefined>>>
>;

/** Returns the price of a model; undefined if it is not known in full. */
export function priceOf(model: string, configured: ConfiguredPrices = {}): ModelPrice | undefined {
  const base = Object.hasOwn(known, model) ? known[model] : undefined;
  const own = Object.hasOwn(configured, model) ? configured[model] : undefined;
  const input = own?.input ?? base?.input;
  const output = own?.output ?? base?.output;
  if (input === undefined || output === undefined) return undefined;
  const cached = own?.cached_input ?? (own?.input === undefined ? base?.cached_input : undefined);
  return { input, cached_input: cached ?? input, output };
}

/** Returns the cost of tokens in US dollars. */
export function costOf({ input, cachedInput, output }: PricedTokens, price: ModelPrice): number {
  const fresh = Math.max(0, input - cachedInput);
  const sum = fresh * price.input + cachedInput * price.cached_input + output * price.output;
  return sum / 1_000_000;
}
