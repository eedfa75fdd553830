import Type, { type TOptional, type TSchema } from "typebox";
import { described } from "../../protocol/schema.js";
import type { StricterOnly } from "../check/shape.js";

/** What is said about a key besides its type. */
export interface SettingFacts {
  /** What it is for, in a sentence. */
  text: string;
  /** What holds when no file says anything. */
  default?: unknown;
  /** The first version of the reference that has it, or `quire` for our own; 0.39 when absent. */
  since?: "0.98" | "0.104" | "0.166" | "quire";
  /**
   * Whether the file of a trusted project may set it: never when absent, always when `true`, else
   * only to one of the values listed, or to a stricter one than the user's. Keys that could let code
   * or secrets out stay with the user.
   */
  project?: true | readonly unknown[] | StricterOnly;
  /** A path, taken relative to the folder of the file it stands in. */
  path?: true;
  /**
   * The key is known and has no effect here. It is reported, unless it switches something off or
   * has one of these values, which ask for what happens anyway; `true` reports it never.
   */
  ignored?: true | readonly unknown[];
  /** The key that this one is another name for. */
  alias?: string;
}

/** Where a key's facts are kept, beside the schema of its value. */
export const settingFacts = Symbol.for("quire.settingFacts");

/** Declares a key: its type, and all that is said about it. */
export function setting<T extends TSchema>(schema: T, facts: SettingFacts): TOptional<T> {
  const key = described(Type.Optional(schema), facts.text);
  return Object.defineProperty(key, settingFacts, { value: facts }) as TOptional<T>;
}

/** A whole number that is not negative, as sizes, counts and limits are. */
export function Count(options: { minimum?: number; maximum?: number } = {}) {
  return Type.Integer({ minimum: 0, ...options });
}

/** Names and texts. */
export const Texts = Type.Record(Type.String(), Type.String());

/** A list of texts. */
export const TextList = Type.Array(Type.String());
