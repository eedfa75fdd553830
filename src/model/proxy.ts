import type { Environment } from "./choose-auth.js";

/**
 * The proxy that the environment asks for when going to a URL, or nothing.
 *
 * Loopback addresses are never reached through a proxy: a model on this machine would not be found
 * from another one.
 */
export function proxyFor(url: URL, env: Environment): URL | undefined {
  const own = url.protocol === "https:" ? "HTTPS_PROXY" : "HTTP_PROXY";
  const text = variable(env, own) ?? variable(env, "ALL_PROXY");
  if (text === undefined || isLoopback(url.hostname) || isExempt(url, env)) return undefined;
  const proxy = text.includes("://") ? text : `http://${text}`;
  if (!URL.canParse(proxy)) throw new Error(`the proxy ${own} names is not a URL: ${text}`);
  const parsed = new URL(proxy);
  if (parsed.protocol !== "http:" && parsed.protocol !== "https:") {
    throw new Error(`the proxy ${own} names is of an unknown kind: ${parsed.protocol}//`);
  }
  return parsed;
}

/** The value of the header that a proxy with a user and a password wants. */
export function proxyAuthorization(proxy: URL): string | undefined {
  if (proxy.username === "") return undefined;
  const login = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
  return `Basic ${Buffer.from(login).toString("base64")}`;
}

/** Both spellings are in use; the small one wins, as with other programs. */
function variable(env: Environment, name: string): string | undefined {
  return env[name.toLowerCase()]?.trim() || env[name]?.trim() || undefined;
}

function isLoopback(host: string): boolean {
  return (
    host === "localhost" || host.endsWith(".localhost") || host === "[::1]" || /^127\./.test(host)
  );
}

/** Whether `NO_PROXY` names the host, a domain above it, or everything. */
function isExempt(url: URL, env: Environment): boolean {
  const host = url.hostname.toLowerCase();
  const port = url.port || (url.protocol === "https:" ? "443" : "80");
  return (variable(env, "NO_PROXY") ?? "").split(",").some((entry) => {
    const [, name = "", only] = /^\*?\.?(.*?)(?::(\d+))?$/.exec(entry.trim().toLowerCase()) ?? [];
    if (entry.trim() === "*") return true;
    if (name === "" || (only !== undefined && only !== port)) return false;
    return host === name || host.endsWith(`.${name}`);
  });
}
