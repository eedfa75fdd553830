import { CodexError } from "../../protocol/error.js";

/** Throws if params of the reference are set that have no effect here; `reasons` has a reason for each. */
export function refuseParams(
  method: string,
  params: object,
  reasons: Readonly<Record<string, string>>,
): void {
  for (const [name, reason] of Object.entries(reasons)) {
    const value = (params as Record<string, unknown>)[name];
    if (value === undefined || value === null || value === false) continue;
    const message = `${method}: \`${name}\` is not supported: ${reason}; leave it out (got ${JSON.stringify(value)})`;
    throw new CodexError("invalid_request", message);
  }
}
