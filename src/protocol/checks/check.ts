/** A generated check: returns true if the value is valid, else sets `errors`. */
export interface Check {
  (value: unknown): boolean;
  errors?: CheckError[] | null;
}

/** A violation of a schema. */
export interface CheckError {
  /** Location as a JSON pointer. */
  instancePath: string;
  /** JSON Schema keyword. */
  keyword: string;
  /** Parameters of the rule. */
  params: Record<string, unknown>;
}
