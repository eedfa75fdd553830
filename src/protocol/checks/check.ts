/** A generated check: says whether a value has the shape, and leaves in `errors` why not. */
export interface Check {
  (value: unknown): boolean;
  errors?: CheckError[] | null;
}

/** The first thing a check found wrong. */
export interface CheckError {
  /** Where, as a JSON pointer. */
  instancePath: string;
  /** Which rule of JSON Schema was broken. */
  keyword: string;
  /** What the rule asks for. */
  params: Record<string, unknown>;
}
