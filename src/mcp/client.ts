import { Protocol } from "@modelcontextprotocol/sdk/shared/protocol.js";
import {
  ElicitRequestSchema,
  type ElicitResult,
  type Notification,
  type Progress,
  type Request,
  type RequestId,
  type Result,
  ResultSchema,
  ToolListChangedNotificationSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { isRecord } from "../protocol/read/check.js";

/** Progress of a request, as reported by the server. */
export interface McpProgress {
  progress: number;
  total?: number;
  message?: string;
}

/** Options for a request or a tool call. */
export interface RequestOptions {
  signal?: AbortSignal;
  onProgress?(progress: McpProgress): void;
}

/** Handlers for messages that a server sends unrequested. */
export interface ClientListener {
  /** Answers an elicitation, which does not contain the server's name yet. */
  answerElicitation(
    elicitation: Omit<McpElicitation, "server">,
    signal: AbortSignal,
  ): Promise<McpElicitationAnswer>;
  onToolsChanged(): void;
}

/** Result of the `initialize` handshake. */
export interface ServerFacts {
  capabilities: Record<string, unknown>;
  /** Name and version of the server, and any other fields it sends. */
  info?: Record<string, unknown>;
  instructions?: string;
}

/**
 * Client side of the protocol with one server.
 *
 * Uses the SDK for framing only: the SDK's client rejects a whole tool list because of one invalid
 * tool, and validates results against schemas that servers get wrong.
 */
export class McpClient extends Protocol<Request, Notification, Result> {
  readonly #listener: ClientListener;

  constructor(listener: ClientListener) {
    super();
    this.#listener = listener;
    this.setNotificationHandler(ToolListChangedNotificationSchema, () => listener.onToolsChanged());
    this.setRequestHandler(ElicitRequestSchema, ({ params }, { requestId, signal }) => {
      if (params.mode === "url") throw new Error("URL elicitation is not supported");
      return this.#elicit(params.message, params.requestedSchema, requestId, signal);
    });
  }

  /** Performs the `initialize` handshake, which must precede any other request. */
  async initialize(version: string, signal: AbortSignal): Promise<ServerFacts> {
    const result = await this.sendRequest(
      "initialize",
      {
        protocolVersion,
        capabilities: { elicitation: {} },
        clientInfo: { name: "codex-mcp-client", title: "Codex", version },
      },
      { signal },
    );
    if (typeof result.protocolVersion !== "string") {
      throw new Error("the server's `initialize` result has no `protocolVersion`");
    }
    this.transport?.setProtocolVersion?.(result.protocolVersion);
    await this.notification({ method: "notifications/initialized" });
    const { capabilities, instructions, serverInfo } = result;
    return {
      capabilities: isRecord(capabilities) ? capabilities : {},
      ...(isRecord(serverInfo) ? { info: serverInfo } : {}),
      ...(typeof instructions === "string" ? { instructions } : {}),
    };
  }

  /** Sends a request without a timeout of its own; `signal` sets the deadline. */
  sendRequest(
    method: string,
    params: Record<string, unknown>,
    { signal, onProgress }: RequestOptions,
  ): Promise<Record<string, unknown>> {
    return this.request({ method, params }, ResultSchema, {
      timeout: longestTimer,
      ...(signal === undefined ? {} : { signal }),
      ...(onProgress === undefined ? {} : { onprogress: (value) => onProgress(toProgress(value)) }),
    });
  }

  async #elicit(
    message: string,
    requestedSchema: unknown,
    id: RequestId,
    signal: AbortSignal,
  ): Promise<ElicitResult> {
    const question = { id, message, requestedSchema };
    return (await this.#listener.answerElicitation(question, signal)) as ElicitResult;
  }

  protected override assertCapabilityForMethod(): void {}
  protected override assertNotificationCapability(): void {}
  protected override assertRequestHandlerCapability(): void {}
  protected override assertTaskCapability(method: string): void {
    throw new Error(`${method} does not support tasks`);
  }
  protected override assertTaskHandlerCapability(method: string): void {
    throw new Error(`${method} does not support tasks`);
  }
}

const protocolVersion = "2025-06-18";
/** Maximum delay of a timer. */
const longestTimer = 2 ** 31 - 1;

function toProgress({ progress, total, message }: Progress): McpProgress {
  return {
    progress,
    ...(total === undefined ? {} : { total }),
    ...(message === undefined ? {} : { message }),
  };
}

/** A question from a server to the user. */
export interface McpElicitation {
  /** Server name in the config. */
  server: string;
  /** Id of the server's request. */
  id: string | number;
  message: string;
  /** JSON Schema of the requested values. */
  requestedSchema: unknown;
}

/** The user's answer; `content` has the requested values. */
export interface McpElicitationAnswer {
  action: "accept" | "decline" | "cancel";
  content?: Record<string, unknown>;
}

/** Asks the user; `signal` aborts when the server cancels the question. */
export type AnswerElicitation = (
  elicitation: McpElicitation,
  signal: AbortSignal,
) => Promise<McpElicitationAnswer>;
