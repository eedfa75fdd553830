/** Under this symbol a schema has the values of a string; symbols are not written as JSON. */
export const values = Symbol("values");

/** Description that is sent only together with the values. */
export const hint = Symbol("hint");

/** Values to list for the model if others are accepted too. */
export const suggested = Symbol("suggested");

/**
 * JSON Schema of a tool's parameters, restricted to the keywords that tools need.
 *
 * One declaration has three uses: it is sent to the model, it checks the arguments, and
 * `ArgumentsOf` derives their TypeScript type.
 */
export type ParameterSchema =
  | {
      readonly type: "string";
      readonly description?: string;
      /** Accepted values; the description lists them for the model. */
      readonly [values]?: readonly string[];
      readonly [suggested]?: readonly string[];
      readonly [hint]?: string;
      /** The model may encrypt the value. */
      readonly encrypted?: true;
    }
  | { readonly type: "number" | "integer" | "boolean"; readonly description?: string }
  | {
      readonly type: "array";
      readonly items: ParameterSchema;
      readonly description?: string;
      /** Sent to the model; the tool itself rejects shorter lists. */
      readonly minItems?: number;
    }
  | ObjectSchema;

/** The schema of an object; other fields than these are ignored when read. */
export interface ObjectSchema {
  /** The JSON type. */
  readonly type: "object";
  /** What the object is, for the model. */
  readonly description?: string;
  /** The schemas of the properties by name. */
  readonly properties: { readonly [name: string]: ParameterSchema };
  /** The properties that must be given. */
  readonly required: readonly string[];
  /** Other properties are mistakes of the model. */
  readonly additionalProperties: false;
}

/** The type of the values that a schema describes. */
export type ArgumentsOf<Schema> = Schema extends { [values]: readonly (infer Value)[] }
  ? Value
  : Schema extends { type: "string" }
    ? string
    : Schema extends { type: "number" | "integer" }
      ? number
      : Schema extends { type: "boolean" }
        ? boolean
        : Schema extends { type: "array"; items: infer Items }
          ? ArgumentsOf<Items>[]
          : Schema extends {
                properties: infer Properties;
                required: readonly (infer Required)[];
              }
            ? { [Name in keyof Properties & Required]: ArgumentsOf<Properties[Name]> } & {
                [Name in Exclude<keyof Properties, Required>]?: ArgumentsOf<Properties[Name]>;
              }
            : never;

/** Declares a tool's parameters; all are optional but those named. */
export function parameters<
  const Properties extends { readonly [name: string]: ParameterSchema },
  const Required extends keyof Properties & string,
>(properties: Properties, required: readonly Required[]) {
  return { type: "object", properties, required, additionalProperties: false } as const;
}
