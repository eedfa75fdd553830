import type { NetworkRules } from "../../protocol/permission-rules.js";
import { type Host, localKind, parseHost } from "./host.js";

/** The answer of the rules for one connection. `rule` is the deciding one, as a line of TOML. */
export type ConnectionDecision =
  | { allowed: true; rule?: string }
  /** `cause` groups the reasons for programs; `reason` is a sentence for people. */
  | { allowed: false; rule?: string; cause: DenialCause; reason: string };

/** Group of reasons: by a rule that denies, by the lack of one that allows, or by the kind of address. */
export type DenialCause = "deny-rule" | "not-allowed" | "local-address" | "off" | "invalid";

/**
 * Decides whether a command may connect to a host by name or address, without resolving the name:
 * an allowed name must still pass `decideAddress` with the address it resolves to.
 */
export function decideConnection(
  rules: NetworkRules,
  host: string,
  port: number,
): ConnectionDecision {
  if (!rules.enabled) {
    return denied("off", "network access is off", "enabled = false");
  }
  if (rules.domains === undefined) return { allowed: true, rule: "enabled = true" };
  const parsed = parseHost(host);
  if (parsed === undefined) return denied("invalid", `${JSON.stringify(host)} is not a host`);
  if (!Number.isInteger(port) || port < 1 || port > 65535) {
    return denied("invalid", `${port} is not a port from 1 to 65535`);
  }
  return decideHost(rules, parsed);
}

function decideHost(rules: NetworkRules, host: Host): ConnectionDecision {
  const { patterns, problem } = patternsOf(rules);
  if (problem !== undefined) return denied("invalid", problem);
  const matching = patterns.filter((pattern) => pattern.matches(host));
  const denying = matching.find(({ access }) => access === "deny");
  if (denying !== undefined) {
    return denied("deny-rule", `${host.text} is denied by ${denying.line}`, denying.line);
  }
  const [allowing] = matching;
  if (allowing === undefined && patterns.some(({ access }) => access === "allow")) {
    return denied("not-allowed", `${host.text} is not an allowed domain`);
  }
  const rule = allowing === undefined ? {} : { rule: allowing.line };
  const kind = host.isAddress ? localKind(host.text) : isLocalhost(host) ? "loopback" : undefined;
  const isListed = allowing?.host?.text === host.text;
  if (kind === undefined || isListed || (kind !== "special" && rules.localAddresses)) {
    return { allowed: true, ...rule };
  }
  const reason = `${host.text} is a ${kindNames[kind]} address; to permit it, add "${host.text}" = "allow"`;
  return denied("local-address", reason, allowing?.line);
}

/** Decides whether an allowed name may be connected to one of the addresses it resolves to. */
export function decideAddress(
  rules: NetworkRules,
  name: string,
  address: string,
): ConnectionDecision {
  const host = parseHost(name);
  const resolved = parseHost(address);
  if (host === undefined || resolved?.isAddress !== true) {
    return denied("invalid", `${JSON.stringify(name)} resolves to no address`);
  }
  // The address itself was already decided.
  if (host.isAddress || rules.domains === undefined) return { allowed: true };
  const { patterns } = patternsOf(rules);
  const matching = patterns.filter((pattern) => pattern.matches(resolved));
  const denying = matching.find(({ access }) => access === "deny");
  if (denying !== undefined) {
    const reason = `${host.text} resolves to ${resolved.text}, which is denied by ${denying.line}`;
    return denied("deny-rule", reason, denying.line);
  }
  const kind = localKind(resolved.text);
  const listed = matching.find((pattern) => pattern.host?.text === resolved.text);
  if (kind === undefined || listed !== undefined) return { allowed: true };
  if (kind !== "special" && rules.localAddresses) return { allowed: true };
  if (kind === "loopback" && isLocalhost(host)) return { allowed: true };
  return denied(
    "local-address",
    `${host.text} resolves to ${resolved.text}, a ${kindNames[kind]} address; to permit it, add "${resolved.text}" = "allow"`,
  );
}

/** Returns the reason that a pattern of `domains` is invalid, or `undefined`. */
export function problemOfDomainPattern(pattern: string): string | undefined {
  return parsePattern(pattern, "allow") === undefined
    ? `Expected a domain such as "example.org", "*.example.org", "**.example.org", "*" or an IP address (got ${JSON.stringify(pattern)})`
    : undefined;
}

const kindNames = { loopback: "loopback", private: "private", special: "link-local or reserved" };

/** These names resolve to this machine everywhere. */
function isLocalhost({ text }: Host): boolean {
  return text === "localhost" || text.endsWith(".localhost");
}

function denied(cause: DenialCause, reason: string, rule?: string): ConnectionDecision {
  return { allowed: false, cause, reason, ...(rule === undefined ? {} : { rule }) };
}

/** A pattern of `domains`. */
interface DomainPattern {
  access: "allow" | "deny";
  /** The rule as a line of TOML. */
  line: string;
  /** The one host that it matches, if it has no wildcard. */
  host?: Host;
  matches(host: Host): boolean;
}

interface DomainPatterns {
  /** Most specific first. */
  patterns: readonly DomainPattern[];
  /** Set if a pattern is invalid; then nothing is allowed. */
  problem?: string;
}

const parsed = new WeakMap<NetworkRules, DomainPatterns>();

function patternsOf(rules: NetworkRules): DomainPatterns {
  const known = parsed.get(rules);
  if (known !== undefined) return known;
  const entries = Object.entries(rules.domains ?? {});
  const specific = entries.sort(([left], [right]) => weightOf(right) - weightOf(left));
  const patterns = specific.map(([text, access]) => parsePattern(text, access));
  const problem = entries.map(([text]) => problemOfDomainPattern(text)).find(Boolean);
  const found = {
    patterns: patterns.filter((pattern) => pattern !== undefined),
    ...(problem === undefined ? {} : { problem }),
  };
  parsed.set(rules, found);
  return found;
}

/** A pattern without wildcards outweighs all others; the more characters are fixed, the more specific. */
function weightOf(pattern: string): number {
  return pattern.includes("*") ? pattern.replaceAll("*", "").length : Number.MAX_SAFE_INTEGER;
}

function parsePattern(text: string, access: "allow" | "deny"): DomainPattern | undefined {
  const common = { access, line: `${JSON.stringify(text)} = "${access}"` };
  if (text === "*") return { ...common, matches: () => true };
  const [, stars = "", rest = ""] = /^(\*{1,2}\.)?(.*)$/s.exec(text) ?? [];
  if (rest.includes("*")) return parseGlob(rest, stars, common);
  const host = parseHost(rest);
  if (host === undefined || (stars !== "" && host.isAddress)) return undefined;
  const isSame = (other: Host) => other.text === host.text;
  const isBelow = (other: Host) => !other.isAddress && other.text.endsWith(`.${host.text}`);
  if (stars === "") return { ...common, host, matches: isSame };
  if (stars === "*.") return { ...common, matches: isBelow };
  return { ...common, matches: (other) => isSame(other) || isBelow(other) };
}

/** A wildcard inside of a name stands for any characters, also for several labels. */
function parseGlob(
  text: string,
  stars: string,
  common: Pick<DomainPattern, "access" | "line">,
): DomainPattern | undefined {
  const glob = text.toLowerCase().replace(/\.$/, "");
  if (!/^[a-z0-9_*.-]+$/.test(glob)) return undefined;
  const body = glob.replaceAll(".", "\\.").replace(/\*+/g, ".*");
  const before = stars === "" ? "" : stars === "*." ? ".+\\." : "(.+\\.)?";
  const expression = new RegExp(`^${before}${body}$`);
  return { ...common, matches: ({ text: host }) => expression.test(host) };
}
