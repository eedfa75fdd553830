import type { McpServer } from "../resolve/mcp-servers.js";
import type { McpIdentity, RequirementsToml, ValueMatcher } from "../schema/requirements.js";

type McpRequirements = NonNullable<RequirementsToml["mcp_servers"]>;

/** Returns true if the administrator lists a server under its name with its command or URL. */
export function isListed({ name, transport }: McpServer, listed: McpRequirements): boolean {
  const identity = Object.hasOwn(listed, name) ? listed[name]?.identity : undefined;
  if (identity === undefined) return false;
  const { command, url } = identity;
  if (transport.type !== "stdio") {
    return url !== undefined && matches(transport.url, toMatcher(url));
  }
  if (command === undefined) return false;
  if (typeof command === "string") return transport.command === command;
  const { executable, args = [] } = command;
  const given = transport.args;
  return (
    transport.command === executable &&
    given.length === args.length &&
    args.every((matcher, index) => matches(given[index] ?? "", matcher))
  );
}

/** Returns the mistake in an identity; undefined if it is complete. */
export function identityProblem(identity: McpIdentity | undefined): string | undefined {
  const { command, url } = identity ?? {};
  if ((command === undefined) === (url === undefined)) {
    return "must have an `identity` with either `command` or `url`";
  }
  if (url !== undefined) return matcherProblem(toMatcher(url));
  if (typeof command === "string") return undefined;
  if (command?.executable === undefined || command.args === undefined) {
    return "must have `executable` and `args` in the table `command`";
  }
  return command.args.map(matcherProblem).find((problem) => problem !== undefined);
}

function toMatcher(value: string | ValueMatcher): ValueMatcher {
  return typeof value === "string" ? { match: "exact", value } : value;
}

function matches(text: string, { match, value, expression }: ValueMatcher): boolean {
  if (match === "regex") return wholeMatch(expression ?? "").test(text);
  if (value === undefined) return false;
  return match === "prefix" ? text.startsWith(value) : text === value;
}

function matcherProblem({ match, value, expression }: ValueMatcher): string | undefined {
  if (match === undefined) return "must have `match` in each comparison";
  const isRegex = match === "regex";
  const [needed, other] = isRegex ? [expression, value] : [value, expression];
  if (needed === undefined || other !== undefined) {
    return `must have \`${isRegex ? "expression" : "value"}\` alone for \`match = "${match}"\``;
  }
  try {
    if (isRegex) wholeMatch(needed);
    return undefined;
  } catch {
    return `has an invalid regular expression: ${needed}`;
  }
}

function wholeMatch(expression: string): RegExp {
  new RegExp(expression, "u"); // alone, so that no parenthesis closes the group below
  return new RegExp(`^(?:${expression})$`, "u");
}
