import { createRedactor } from "../lib/redact.js";
import { isRecord } from "../protocol/read/check.js";

/** Creates a function that replaces secrets in a JSON value: known ones, tokens by their form, and fields by their name. */
export function createValueRedactor(secrets: readonly string[]): (value: unknown) => unknown {
  const redact = createRedactor(secrets);
  const walk = (value: unknown): unknown => {
    if (typeof value === "string") return redact(value);
    if (Array.isArray(value)) return value.map(walk);
    if (!isRecord(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [
        redact(name),
        typeof inner === "string" && inner !== "" && secretField.test(name) ? mark : walk(inner),
      ]),
    );
  };
  return walk;
}

/** Fields whose text is a secret, in any case and with any separators. */
const secretField =
  /^(authorization|cookie|bearer|pass(word|wd|phrase)|.*secret|.*api[_-]?key|.*(access|refresh|id|auth|bearer|session|csrf)[_-]?token|token)$/i;
const mark = "[REDACTED]";
