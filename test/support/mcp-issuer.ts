import { createHash, randomUUID } from "node:crypto";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { type HttpMcpServer, startHttpMcpServer } from "./mcp-http.js";

/** Behavior of the issuer; tests change it while it runs. */
export interface IssuerBehaviour {
  /** Lifetime of tokens, in seconds. */
  expiresIn?: number;
  /** The user refuses. */
  refuses?: boolean;
  /** Dynamic client registration is not supported. */
  noRegistration?: boolean;
}

/** An MCP server that requires a login, and its issuer; dispose it with `await using`. */
export interface ProtectedServer extends AsyncDisposable {
  server: HttpMcpServer;
  origin: string;
  behaviour: IssuerBehaviour;
  /** Requests to the issuer: the path, and the fields of the body or query. */
  asked: { path: string; fields: Record<string, string> }[];
  /** Tokens that the MCP server accepts. */
  valid: Set<string>;
  /** Follows an authorization URL and approves the login. */
  visit(authorizationUrl: string): Promise<Response>;
}

/** Starts both on loopback. */
export async function startProtectedServer(): Promise<ProtectedServer> {
  const valid = new Set<string>();
  const server = await startHttpMcpServer((request, response) => {
    const { pathname } = new URL(request.url ?? "", origin);
    if (pathname === "/.well-known/oauth-protected-resource/mcp") {
      const resource = `${server.origin}/mcp`;
      json(response, { resource, authorization_servers: [origin], scopes_supported: ["tools"] });
      return true;
    }
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? "")?.[1];
    if (token !== undefined && valid.has(token)) return false;
    const metadata = `${server.origin}/.well-known/oauth-protected-resource/mcp`;
    response.writeHead(401, { "www-authenticate": `Bearer resource_metadata="${metadata}"` });
    response.end();
    return true;
  });
  const behaviour: IssuerBehaviour = {};
  const asked: ProtectedServer["asked"] = [];
  const issuer = createServer(async (request, response) => {
    const url = new URL(request.url ?? "", origin);
    const body = await text(request);
    const isJson = request.headers["content-type"] === "application/json";
    const fields = isJson
      ? JSON.parse(body)
      : Object.fromEntries(new URLSearchParams(body || url.search));
    if (!url.pathname.startsWith("/.well-known")) asked.push({ path: url.pathname, fields });
    const { status = 200, location, value } = answer(url.pathname, fields);
    if (location === undefined) json(response, value, status);
    else response.writeHead(302, { location }).end();
  });
  await new Promise<void>((resolve) => issuer.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(issuer.address() as AddressInfo).port}`;
  const challenges = new Map<string, string>();
  const refreshTokens = new Set<string>();

  function answer(path: string, fields: Record<string, string>): Answer {
    if (path === "/.well-known/oauth-authorization-server") return { value: metadata() };
    if (path === "/authorize") return { location: authorize(fields) };
    if (path === "/token") return giveTokens(fields);
    if (path !== "/register") return { status: 404, value: { error: "not found" } };
    if (behaviour.noRegistration) return { status: 403, value: { error: "access_denied" } };
    return { status: 201, value: { ...fields, client_id: "client-1" } };
  }

  function authorize(fields: Record<string, string>): string {
    const code = randomUUID();
    challenges.set(code, fields.code_challenge ?? "");
    const back = new URL(fields.redirect_uri ?? "");
    back.searchParams.set("state", fields.state ?? "");
    if (behaviour.refuses) {
      back.searchParams.set("error", "access_denied");
      back.searchParams.set("error_description", "the user said no");
    } else back.searchParams.set("code", code);
    return back.href;
  }

  function giveTokens(fields: Record<string, string>): Answer {
    const isRefresh = fields.grant_type === "refresh_token";
    const verifier = createHash("sha256")
      .update(fields.code_verifier ?? "")
      .digest("base64url");
    const isGood = isRefresh
      ? refreshTokens.delete(fields.refresh_token ?? "")
      : challenges.get(fields.code ?? "") === verifier;
    if (!isGood) return { status: 400, value: { error: "invalid_grant" } };
    const tokens = { access_token: randomUUID(), refresh_token: randomUUID() };
    valid.add(tokens.access_token);
    refreshTokens.add(tokens.refresh_token);
    const { expiresIn } = behaviour;
    const expiry = expiresIn === undefined ? {} : { expires_in: expiresIn };
    return { value: { ...tokens, token_type: "Bearer", ...expiry } };
  }

  function metadata() {
    return {
      issuer: origin,
      authorization_endpoint: `${origin}/authorize`,
      token_endpoint: `${origin}/token`,
      registration_endpoint: `${origin}/register`,
      response_types_supported: ["code"],
      code_challenge_methods_supported: ["S256"],
      token_endpoint_auth_methods_supported: ["none"],
    };
  }

  return {
    server,
    origin,
    behaviour,
    asked,
    valid,
    visit: (authorizationUrl) => fetch(authorizationUrl),
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      const closed = new Promise((resolve) => issuer.close(resolve));
      issuer.closeAllConnections();
      await closed;
    },
  };
}

interface Answer {
  status?: number;
  value?: unknown;
  /** URL that the browser is redirected to. */
  location?: string;
}

function json(response: ServerResponse, value: unknown, status = 200): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(value));
}
