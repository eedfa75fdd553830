import { parseDecision, parseJustification } from "./prefix-rule.js";
import type { Decision, ExecRules, NetworkProtocol, NetworkRule } from "./rule.js";
import type { Call } from "./syntax.js";
import { optionalString, requiredString, rulesError } from "./values.js";

/** Parses `network_rule(host, protocol, decision, justification)`. */
export function readNetworkRule({ args, at }: Call): NetworkRule {
  const protocol = toProtocol(requiredString(args, "protocol", at));
  if (protocol === undefined) {
    const text = optionalString(args, "protocol");
    throw rulesError(
      args.get("protocol")?.at ?? at,
      `invalid rule: network_rule protocol must be one of http, https, socks5_tcp, socks5_udp (got ${text})`,
    );
  }
  const denied = requiredString(args, "decision", at) === "deny";
  const decision = denied ? "forbidden" : (parseDecision(args, at) ?? "prompt");
  const justification = parseJustification(args, at);
  const host = normalizeHost(requiredString(args, "host", at));
  if (!host.ok) throw rulesError(args.get("host")?.at ?? at, host.problem);
  return {
    host: host.value,
    protocol,
    decision,
    ...(justification !== undefined && { justification }),
  };
}

/** A normalized host, or the problem with it. */
export type HostName = { ok: true; value: string } | { ok: false; problem: string };

/** Normalizes a host name or address for comparison: lower case, no port. */
export function normalizeHost(text: string): HostName {
  const bad = (problem: string): HostName => ({ ok: false, problem: `invalid rule: ${problem}` });
  const host = text.trim();
  if (host === "") return bad("network_rule host cannot be empty");
  if (/:\/\/|[/?#]/.test(host)) {
    return bad("network_rule host must be a hostname or IP literal (without scheme or path)");
  }
  const bracketed = host.match(/^\[([^\]]*)\](.*)$/s);
  if (host.startsWith("[") && bracketed === null) {
    return bad("network_rule host has an invalid bracketed IPv6 literal");
  }
  if (bracketed !== null && !/^(?::\d+)?$/.test(bracketed[2] ?? "")) {
    return bad(`network_rule host contains an unsupported suffix: ${text}`);
  }
  const name = bracketed?.[1] ?? host.replace(/^([^:]+):\d+$/, "$1");
  const value = name.replace(/\.+$/, "").trim().toLowerCase();
  if (value === "") return bad("network_rule host cannot be empty");
  if (value.includes("*")) {
    return bad("network_rule host must be a specific host; wildcards are not allowed");
  }
  if (/\s/.test(value)) return bad("network_rule host cannot contain whitespace");
  return { ok: true, value };
}

/**
 * Returns the hosts that the rules allow and deny; the last rule for a host wins.
 *
 * Used only by the suites: the sandbox permits the network or not, regardless of the host.
 */
export function networkDomains(rules: ExecRules): { allowed: string[]; denied: string[] } {
  const last = new Map<string, Decision>();
  for (const { host, decision } of rules.networkRules) {
    if (decision === "prompt") continue;
    last.delete(host);
    last.set(host, decision);
  }
  const hosts = (wanted: Decision) =>
    [...last].filter(([, decision]) => decision === wanted).map(([host]) => host);
  return { allowed: hosts("allow"), denied: hosts("forbidden") };
}

/** Returns a warning about rules that forbid hosts or ask about them: commands reach the network, or not. */
export function networkRuleWarning({ networkRules }: ExecRules): string | undefined {
  const hosts = networkRules.flatMap(({ decision, host }) => (decision === "allow" ? [] : [host]));
  if (hosts.length === 0) return undefined;
  const names = [...new Set(hosts)].join(", ");
  return `network_rule is not enforced (${names}): use \`network.domains\` of a permission profile.`;
}

function toProtocol(text: string): NetworkProtocol | undefined {
  if (text === "https_connect" || text === "http-connect") return "https";
  const known: readonly NetworkProtocol[] = ["http", "https", "socks5_tcp", "socks5_udp"];
  return known.find((protocol) => protocol === text);
}
