import type { NetworkRules } from "../../protocol/permission-rules.js";
import { decideConnection } from "./decide.js";

/** Returns the variables that make programs use a proxy, in all usual spellings. */
export function proxyVariables(url: string, rules: NetworkRules): Record<string, string> {
  const names = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"];
  const noProxy = directHosts(rules).join(",");
  return {
    ...Object.fromEntries(
      names.flatMap((name) => [name, name.toLowerCase()]).map((name) => [name, url]),
    ),
    NO_PROXY: noProxy,
    no_proxy: noProxy,
    // Node reads the variables only if this is set.
    NODE_USE_ENV_PROXY: "1",
    CODEX_NETWORK_PROXY_ACTIVE: "1",
  };
}

/**
 * Returns the hosts that programs connect to without the proxy: loopback, which in a separate
 * namespace is that of the command. If a rule allows one of them, the loopback of this machine is
 * meant, and only the proxy can reach it.
 */
function directHosts(rules: NetworkRules): string[] {
  const hosts = ["localhost", "127.0.0.1", "::1"];
  return hosts.some((host) => decideConnection(rules, host, 80).allowed) ? [] : hosts;
}
