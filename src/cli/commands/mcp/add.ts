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
    help: "A variable for the command; may be given several times",
  },
  url: { type: "string", value: "URL", help: "The address of a server that runs elsewhere" },
  "bearer-token-env-var": {
    type: "string",
    value: "NAME",
    help: "The variable with the token for the URL",
  },
  ...Object.fromEntries(
    ["client-id", "client-secret", "client-registration", "resource"].map((name) => [
      `oauth-${name}`,
      { type: "string", hidden: true, help: "Not supported" } as const,
    ]),
  ),
} as const;

/** Sets a server up in the user's own file. */
export const mcpAdd = defineCommand({
  name: "mcp add",
  summary: "Set up a server: a command, or a URL",
  operands: "NAME [-- CMD…]",
  verbatimAfter: 1,
  options,
  details: [
    "For example:",
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
        `--${oauth} is not supported: Quire registers itself with the server. ` +
          "Log in with `quire mcp login NAME`, or give a token with --bearer-token-env-var",
      );
    }
    const server = toServer(values, command);
    const home = codexHome(io.env);
    await saveMcpServer(home, name, server);
    io.stdout.write(`Added global MCP server '${name}'.\n`);
    if (server.url !== undefined && (await wantsLogin(name, server.url, server, home))) {
      io.stdout.write(`It asks for a login: \`${programName()} mcp login ${name}\`\n`);
    }
    return exitCodes.ok;
  },
});

function given(values: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

function checkName(name: string): void {
  if (name === "") throw new UsageError("Give the server a name: quire mcp add NAME -- CMD…");
  if (/^[A-Za-z0-9_-]+$/.test(name)) return;
  throw new UsageError(
    `invalid server name '${name}' (use letters, numbers, '-', '_'): tools are called by it`,
  );
}

function toServer(values: Values<typeof options>, [command, ...args]: string[]): McpServerToml {
  const { url, env = [], "bearer-token-env-var": bearer_token_env_var } = values;
  if (url !== undefined) {
    if (command !== undefined) throw new UsageError("Give a command or --url, not both");
    if (env.length > 0) throw new UsageError("--env is for commands; a --url has no environment");
    if (!/^https?:$/.test(URL.canParse(url) ? new URL(url).protocol : "")) {
      throw new UsageError(`--url needs an address such as https://example.com/mcp, not ${url}`);
    }
    return { url, ...(bearer_token_env_var === undefined ? {} : { bearer_token_env_var }) };
  }
  if (bearer_token_env_var !== undefined) {
    throw new UsageError("--bearer-token-env-var is for --url");
  }
  if (command === undefined) {
    throw new UsageError("Say how to reach it: put the command behind --, or give --url URL");
  }
  return { command, args, env: Object.fromEntries(env.map(toVariable)) };
}

function toVariable(text: string): [string, string] {
  const equals = text.indexOf("=");
  if (equals < 1) throw new UsageError(`--env needs NAME=VALUE, not ${text}`);
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

/** Takes a server out of the user's own file. */
export const mcpRemove = defineCommand({
  name: "mcp remove",
  summary: "Take a server away",
  operands: "NAME",
  mostOperands: 1,
  options: {},
  async run({ positionals: [name] }, io) {
    if (name === undefined) throw new UsageError("Name a server; `quire mcp list` has them all");
    const wasThere = await removeMcpServer(codexHome(io.env), name);
    const shown = `MCP server named '${visible(name)}'`;
    io.stdout.write(
      wasThere ? `Removed global MCP server '${visible(name)}'.\n` : `No ${shown} found.\n`,
    );
    return exitCodes.ok;
  },
});
