import type { Check, CheckError } from "../checks/check.js";
import { CodexError, type ErrorCode } from "../error.js";

/** A validation error with its location. */
export interface Problem {
  /** Location as a property path: `op.items[0].text`. */
  path: string;
  /** Full message, including the path. */
  message: string;
  /** The message in the wording of the reference, which clients may match. */
  reason: string;
}

/** Throws the validation error of a value; `name` is the root of the path in the message. */
export function assertValid(
  check: Check,
  value: unknown,
  name: string,
  data: Record<string, unknown> = {},
  code: ErrorCode = "invalid_request",
): void {
  const problem = findProblem(check, value, name);
  if (problem === undefined) return;
  const { path, message, reason } = problem;
  throw new CodexError(code, message, { data: { ...data, path }, cause: reason });
}

/** Returns the validation error of a value, if any. */
export function findProblem(check: Check, value: unknown, name: string): Problem | undefined {
  if (check(value)) return undefined;
  const error = check.errors?.[0];
  if (error === undefined) {
    const message = `${name} has a shape that is not known.`;
    return { path: name, message, reason: message };
  }
  const { path, found } = locate(error.instancePath, value, name);
  return describe(error, path, found);
}

/** Resolves a JSON pointer to a property path and the value there. */
function locate(pointer: string, value: unknown, name: string): { path: string; found: unknown } {
  let path = name;
  let found = value;
  for (const step of pointer.split("/").slice(1)) {
    const key = step.replaceAll("~1", "/").replaceAll("~0", "~");
    if (Array.isArray(found)) path += `[${key}]`;
    else path += /^[A-Za-z_]\w*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
    found = (found as Record<string, unknown> | undefined)?.[key];
  }
  return { path, found };
}

function describe(error: CheckError, path: string, found: unknown): Problem {
  const { keyword, params } = error;
  if (keyword === "required") {
    const missing = `${path}.${String(params.missingProperty)}`;
    const reason = `missing field \`${String(params.missingProperty)}\``;
    return { path: missing, message: `${missing} is missing.`, reason };
  }
  if (keyword === "discriminator") {
    const tag = `${path}.${String(params.tag)}`;
    const message =
      params.error === "tag"
        ? `${tag} must be a string that says which kind it is.`
        : `${tag} is ${quote(params.tagValue)}, which is not known here.`;
    const field = String(params.tag);
    const known = Array.isArray(params.known) ? params.known : [];
    const reason =
      params.error === "tag"
        ? `missing field \`${field}\``
        : unknownVariant(String(params.tagValue), known);
    return { path: tag, message, reason };
  }
  const message = `${path} must be ${expectation(error)}, not ${quote(found)}.`;
  return { path, message, reason: mismatch(error, found) };
}

function expectation({ keyword, params }: CheckError): string {
  if (keyword === "type") return [params.type].flat().map(withArticle).join(" or ");
  if (keyword === "enum")
    return `one of ${(params.allowedValues as unknown[]).map(quote).join(", ")}`;
  if (keyword === "const") return quote(params.allowedValue);
  return `something else (${keyword})`;
}

/** Describes a mismatch in the wording of the reference's parser. */
function mismatch({ keyword, params }: CheckError, found: unknown): string {
  if (keyword === "enum" || keyword === "const") {
    const allowed = [params.allowedValues ?? params.allowedValue].flat();
    if (kindOf(found) === "map") return "invalid value: map, expected map with a single key";
    if (typeof found === "string") return unknownVariant(found, allowed);
    return `invalid type: ${kindOf(found)}, expected ${oneOf(allowed)}`;
  }
  const [type = "another value"] = [params.type].flat().map(String);
  return `invalid type: ${kindOf(found)}, expected ${expectedKinds[type] ?? type}`;
}

function unknownVariant(found: string, known: readonly unknown[]): string {
  return `unknown variant \`${found}\`, expected ${oneOf(known)}`;
}

function oneOf(known: readonly unknown[]): string {
  const list = known.map((value) => `\`${String(value)}\``).join(", ");
  return known.length === 1 ? list : `one of ${list}`;
}

const expectedKinds: Record<string, string> = {
  string: "a string",
  boolean: "a boolean",
  array: "a sequence",
  object: "a map",
  integer: "an integer",
  number: "a number",
};

function kindOf(found: unknown): string {
  if (found === null) return "null";
  if (Array.isArray(found)) return "sequence";
  if (typeof found === "object") return "map";
  if (typeof found === "string") return `string ${JSON.stringify(found.slice(0, 80))}`;
  if (typeof found !== "number") return `${typeof found} \`${String(found)}\``;
  return `${Number.isInteger(found) ? "integer" : "floating point"} \`${found}\``;
}

function withArticle(type: unknown): string {
  const names: Record<string, string> = { array: "a list", null: "null" };
  const name = String(type);
  return names[name] ?? (/^[aeiou]/.test(name) ? `an ${name}` : `a ${name}`);
}

/** Formats a value for a message: in full if it is short, else its kind. */
function quote(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object" && value !== null) return "an object";
  const text = typeof value === "string" ? JSON.stringify(value.slice(0, 80)) : String(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
