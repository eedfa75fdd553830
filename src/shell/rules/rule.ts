import { CodexError } from "../../protocol/error.js";
import type { Place } from "./source.js";

/** What a rule says about a command, from the mildest to the strictest. */
export type Decision = "allow" | "prompt" | "forbidden";

/** A rule about commands that begin with certain words. */
export interface PrefixRule {
  /** For each position the words that fit there. */
  pattern: readonly (readonly string[])[];
  decision: Decision;
  justification?: string;
  /** Where the rule stands; absent for one made while running. */
  at?: Place;
}

/** How a host is reached. */
export type NetworkProtocol = "http" | "https" | "socks5_tcp" | "socks5_udp";

/** A rule about a host on the network. */
export interface NetworkRule {
  host: string;
  protocol: NetworkProtocol;
  decision: Decision;
  justification?: string;
}

/** All rules of a session; a value that is never changed, only replaced. */
export interface ExecRules {
  prefixRules: readonly PrefixRule[];
  networkRules: readonly NetworkRule[];
  /** The paths under which a program may be called to count as its bare name. */
  hostExecutables: ReadonlyMap<string, readonly string[]>;
}

/** No rules at all. */
export const noRules: ExecRules = {
  prefixRules: [],
  networkRules: [],
  hostExecutables: new Map(),
};

/**
 * The rules with one more about commands that begin with `prefix`.
 *
 * Only the suites ask for it: the program adds rules to a file, which it then reads again.
 */
export function addPrefixRule(
  rules: ExecRules,
  prefix: readonly string[],
  decision: Decision,
): ExecRules {
  if (prefix.length === 0) {
    throw new CodexError("invalid_request", "invalid pattern element: prefix cannot be empty");
  }
  const rule: PrefixRule = { pattern: prefix.map((word) => [word]), decision };
  return { ...rules, prefixRules: [...rules.prefixRules, rule] };
}

/** The rules of two places together; what the second says of an executable replaces the first. */
export function mergeRules(first: ExecRules, second: ExecRules): ExecRules {
  return {
    prefixRules: [...first.prefixRules, ...second.prefixRules],
    networkRules: [...first.networkRules, ...second.networkRules],
    hostExecutables: new Map([...first.hostExecutables, ...second.hostExecutables]),
  };
}

/** The strictest of several decisions; nothing for none. */
export function strictest(decisions: readonly Decision[]): Decision | undefined {
  const order: readonly Decision[] = ["forbidden", "prompt", "allow"];
  return order.find((decision) => decisions.includes(decision));
}
