import {
  codexHome,
  type McpServerToml,
  removeMcpServer,
  saveMcpServer,
} from "../../../config/index.js";
import { programName } from "../../../lib/program-name.js";
import { mcpAuthStatus, userTokenStore } from "../../../mcp/index.js";
import { defineCommand, type Values } from "../../command.js";
import { exitCodes, UsageError } from "../../exit-codes.js";
import { visible } from "../../print.js";

const options = {
  env: {
    type: "string",
    multiple: true,
    value: "NAME=VALUE",
    help: "Set an environment variable of the command",
  },
  url: { type: "string", value: "URL", help: "URL of a streamable HTTP server" },
  "bearer-token-env-var": {
    type: "string",
    value: "NAME",
    help: "Environment variable with the bearer token for --url",
  },
  ...Object.fromEntries(
    ["client-id", "client-secret", "client-registration", "resource"].map((name) => [
      `oauth-${name}`,
      { type: "string", hidden: true, help: "Not supported" } as const,
    ]),
  ),
} as const;

/** Adds a server to the user's config.toml. */
export const mcpAdd = defineCommand({
  name: "mcp add",
  summary: "Add an MCP server: a command or a URL",
  operands: "NAME [-- CMD…]",
  verbatimAfter: 1,
  options,
  details: [
    "Examples:",
    "  quire mcp add docs --env TOKEN=abc -- npx -y docs-server",
    "  quire mcp add web --url https://example.com/mcp --bearer-token-env-var TOKEN",
  ].join("\n"),
  async run({ values, positionals: [name = "", ...command] }, io) {
    checkName(name);
    const oauth = Object.keys(options).find(
      (option) => option.startsWith("oauth-") && option in given(values),
    );
    if (oauth !== undefined) {
      throw new UsageError(
        `--${oauth} is not supported: Quire registers with the server dynamically. ` +
          "Use `quire mcp login NAME`, or pass a token with --bearer-token-env-var",
      );
    }
    const server = toServer(values, command);
    const home = codexHome(io.env);
    await saveMcpServer(home, name, server);
    io.stdout.write(`Added global MCP server '${name}'.\n`);
    if (server.url !== undefined && (await wantsLogin(name, server.url, server, home))) {
      io.stdout.write(`The server requires a login: \`${programName()} mcp login ${name}\`\n`);
    }
    return exitCodes.ok;
  },
});

function given(values: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

function checkName(name: string): void {
  if (name === "") throw new UsageError("Missing server name: `quire mcp add NAME -- CMD…`");
  if (/^[A-Za-z0-9_-]+$/.test(name)) return;
  throw new UsageError(`invalid server name '${name}' (use letters, numbers, '-', '_')`);
}

function toServer(values: Values<typeof options>, [command, ...args]: string[]): McpServerToml {
  const { url, env = [], "bearer-token-env-var": bearer_token_env_var } = values;
  if (url !== undefined) {
    if (command !== undefined)
      throw new UsageError("`--url` and a command cannot be used together");
    if (env.length > 0)
      throw new UsageError(
        "`--env` and `--url` cannot be used together: only a command has an environment",
      );
    if (!/^https?:$/.test(URL.canParse(url) ? new URL(url).protocol : "")) {
      throw new UsageError(
        `Expected --url to be an http or https URL such as https://example.com/mcp (got ${url})`,
      );
    }
    return { url, ...(bearer_token_env_var === undefined ? {} : { bearer_token_env_var }) };
  }
  if (bearer_token_env_var !== undefined) {
    throw new UsageError("--bearer-token-env-var requires --url URL");
  }
  if (command === undefined) {
    throw new UsageError(
      "Missing command or URL: `quire mcp add NAME -- CMD…` or `quire mcp add NAME --url URL`",
    );
  }
  return { command, args, env: Object.fromEntries(env.map(toVariable)) };
}

function toVariable(text: string): [string, string] {
  const equals = text.indexOf("=");
  if (equals < 1) throw new UsageError(`Expected --env to be NAME=VALUE (got ${text})`);
  return [text.slice(0, equals), text.slice(equals + 1)];
}

async function wantsLogin(server: string, url: string, toml: McpServerToml, home: string) {
  const transport = {
    type: "streamable_http",
    url,
    bearer_token_env_var: toml.bearer_token_env_var,
    http_headers: {},
    env_http_headers: {},
  } as const;
  const config = { transport };
  return (await mcpAuthStatus({ server, config, store: userTokenStore(home) })) === "notLoggedIn";
}

/** Removes a server from the user's config.toml. */
export const mcpRemove = defineCommand({
  name: "mcp remove",
  summary: "Remove an MCP server",
  operands: "NAME",
  mostOperands: 1,
  options: {},
  async run({ positionals: [name] }, io) {
    if (name === undefined)
      throw new UsageError("Missing server name; `quire mcp list` lists the servers");
    const wasThere = await removeMcpServer(codexHome(io.env), name);
    const shown = `MCP server named '${visible(name)}'`;
    io.stdout.write(
      wasThere ? `Removed global MCP server '${visible(name)}'.\n` : `No ${shown} found.\n`,
    );
    return exitCodes.ok;
  },
});
