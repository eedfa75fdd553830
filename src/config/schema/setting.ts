import Type, { type TOptional, type TSchema } from "typebox";
import { described } from "../../protocol/schema.js";
import type { StricterOnly } from "../check/shape.js";

/** Declaration of a config key besides its type. */
export interface SettingFacts {
  /** Description in one sentence, for the docs and the schema. */
  text: string;
  /** Default value. */
  default?: unknown;
  /** First version of the reference that has the key, or `current` for our own; default: 0.39. */
  since?: "0.98" | "0.104" | "0.166" | "current";
  /**
   * Values that the file of a trusted project may set: any with `true`, one of a list, or one that is
   * stricter than the user's; default: none. Keys that could leak code or secrets are not for projects.
   */
  project?: true | readonly unknown[] | StricterOnly;
  /** The value is a path, relative to the directory of its file. */
  path?: true;
  /**
   * The key has no effect. It is reported unless it disables something or has one of these values,
   * which match the actual behavior; `true` never reports it.
   */
  ignored?: true | readonly unknown[];
  /** An unknown key below it is an error: passing over one could allow what it forbids. */
  strict?: true;
  /** The key that this one is another name for. */
  alias?: string;
  /** Option of commands that start a session, which sets the key: `--time-zone`. */
  flag?: string | SettingFlag;
}

/** Command-line option of a key; omitted fields are derived from the declaration. */
export interface SettingFlag {
  name: string;
  short?: string;
  /** Placeholder of the value in the help; default: `VALUE`. */
  value?: string;
  /** Heading in the help; default: `settings`. */
  group?: "permissions" | "settings";
  /** Help text; default: the description of the key. */
  help?: string;
}

/** Property of a schema that holds the declaration of its key. */
export const settingFacts = Symbol.for("quire.settingFacts");

/** Declares a config key with its type, default, version, description and flag. */
export function setting<T extends TSchema>(schema: T, facts: SettingFacts): TOptional<T> {
  const key = described(Type.Optional(schema), facts.text);
  return Object.defineProperty(key, settingFacts, { value: facts }) as TOptional<T>;
}

/** A non-negative integer, for sizes, counts and limits. */
export function Count(options: { minimum?: number; maximum?: number } = {}) {
  return Type.Integer({ minimum: 0, ...options });
}

/** A table of strings. */
export const Texts = Type.Record(Type.String(), Type.String());

/** A list of strings. */
export const TextList = Type.Array(Type.String());
