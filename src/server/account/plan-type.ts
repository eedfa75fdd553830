/** The plan of an account, in the words that clients know; what they do not know is `unknown`. */
export function toPlanType(said: unknown): string {
  const name = typeof said === "string" ? said.toLowerCase() : "";
  return planTypes.has(name) ? name : "unknown";
}

const planTypes: ReadonlySet<string> = new Set([
  "free",
  "go",
  "plus",
  "pro",
  "team",
  "business",
  "enterprise",
  "edu",
]);
