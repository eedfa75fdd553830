import type { RpcBehavior } from "../../compat/index.js";

/** A tool as listed by MCP. */
interface McpTool {
  name: string;
  title: string;
  description: string;
  inputSchema: object;
  outputSchema?: object;
}

/** Returns the tools of the MCP server: one starts a session, one continues it. */
export function listTools({ mcpThreadIds }: RpcBehavior): McpTool[] {
  const output = mcpThreadIds ? { outputSchema: resultSchema } : {};
  const replySchema = mcpThreadIds
    ? objectOf({ ...conversationOf("Older name of threadId."), ...threadId, ...nextPrompt }, [
        "prompt",
      ])
    : objectOf({ ...conversationOf("The session to continue."), ...nextPrompt }, [
        "conversationId",
        "prompt",
      ]);
  return [
    {
      name: "codex",
      title: "Codex",
      description: "Starts a Codex session, which works on the prompt until it is done.",
      inputSchema: objectOf(mcpThreadIds ? sessionFields : sessionFields2025, ["prompt"]),
      ...output,
    },
    {
      name: "codex-reply",
      title: "Codex Reply",
      description: "Says something more in a session that `codex` has started.",
      inputSchema: replySchema,
      ...output,
    },
  ];
}

function objectOf(properties: object, required: readonly string[]): object {
  return { type: "object", properties, required };
}

function text(description: string): object {
  return { type: "string", description };
}

const sessionFields = {
  prompt: text("What Codex is to do."),
  model: text("The model to ask, instead of that of the config."),
  profile: text("The profile of config.toml to use."),
  cwd: text("The folder to work in; a relative path starts from that of the server."),
  "approval-policy": {
    type: "string",
    enum: ["untrusted", "on-failure", "on-request", "never"],
    description: "When the user is asked before a command runs.",
  },
  sandbox: {
    type: "string",
    enum: ["read-only", "workspace-write", "danger-full-access"],
    description: "What commands may do.",
  },
  config: {
    type: "object",
    additionalProperties: true,
    description: "Settings that win over those of config.toml, by their dotted names.",
  },
  "base-instructions": text("Replaces the instructions the model is given by default."),
};

const sessionFields2025 = {
  ...sessionFields,
  "include-plan-tool": {
    type: "boolean",
    description: "Whether the model gets the plan tool.",
  },
};

function conversationOf(description: string) {
  return { conversationId: text(description) };
}

const threadId = { threadId: text("The session to continue, as `codex` has returned it.") };
const nextPrompt = { prompt: text("What Codex is to do next.") };

const resultSchema = objectOf({ threadId: { type: "string" }, content: { type: "string" } }, [
  "threadId",
  "content",
]);

/** Result of a tool call. */
export interface ToolResult {
  content: { type: "text"; text: string }[];
  isError?: true;
  structuredContent?: { threadId: string; content: string };
}

/** Returns the result of a failed call. */
export function toolFailure(message: string): ToolResult {
  return { content: [{ type: "text", text: message }], isError: true };
}

/** Returns the result with the final message of a turn, and its thread if given. */
export function toolAnswer(message: string, threadId: string | undefined): ToolResult {
  return {
    content: [{ type: "text", text: message }],
    ...(threadId === undefined ? {} : { structuredContent: { threadId, content: message } }),
  };
}
