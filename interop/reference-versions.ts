/** The versions of the reference that are met, each with a model it knows and gives all tools. */
export const references = {
  "0.42.0": "gpt-5-codex",
  "0.104.0": "gpt-5.2-codex",
  "0.166.0": "gpt-5.5",
} as const;

/** A version of the reference. */
export type ReferenceVersion = keyof typeof references;
