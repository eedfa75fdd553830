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
import { isRecord } from "../protocol/read/record.js";

/** How far a server has come with something it was asked for. */
export interface McpProgress {
  progress: number;
  total?: number;
  message?: string;
}

/** What a request may be given along. */
export interface RequestOptions {
  signal?: AbortSignal;
  onProgress?(progress: McpProgress): void;
}

/** What a server does on its own. */
export interface ClientListener {
  /** A question for the user, without the server's name. */
  answerElicitation(
    elicitation: Omit<McpElicitation, "server">,
    signal: AbortSignal,
  ): Promise<McpElicitationAnswer>;
  onToolsChanged(): void;
}

/** What a server says of itself in the handshake. */
export interface ServerFacts {
  capabilities: Record<string, unknown>;
  /** Its name and version, and what else it likes to be known by. */
  info?: Record<string, unknown>;
  instructions?: string;
}

/**
 * Our side of the protocol with one server.
 *
 * The SDK does the framing; its own client is not used, as that one refuses whole lists for one tool
 * that is not as it should be, and checks answers against schemas that servers get wrong.
 */
export class McpClient extends Protocol<Request, Notification, Result> {
  readonly #listener: ClientListener;

  constructor(listener: ClientListener) {
    super();
    this.#listener = listener;
    this.setNotificationHandler(ToolListChangedNotificationSchema, () => listener.onToolsChanged());
    this.setRequestHandler(ElicitRequestSchema, ({ params }, { requestId, signal }) => {
      if (params.mode === "url") throw new Error("Questions by URL are not supported");
      return this.#elicit(params.message, params.requestedSchema, requestId, signal);
    });
  }

  /** Says hello to the server that it is connected with; nothing else may be asked before. */
  async greet(version: string, signal: AbortSignal): Promise<ServerFacts> {
    const result = await this.ask(
      "initialize",
      {
        protocolVersion,
        capabilities: { elicitation: {} },
        clientInfo: { name: "codex-mcp-client", title: "Codex", version },
      },
      { signal },
    );
    if (typeof result.protocolVersion !== "string") {
      throw new Error("the server's answer to initialize says no protocol version");
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

  /** Sends a request; how long it may take is the signal's affair. */
  ask(
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
    throw new Error(`${method} cannot be asked for as a task`);
  }
  protected override assertTaskHandlerCapability(method: string): void {
    throw new Error(`${method} cannot be done as a task`);
  }
}

const protocolVersion = "2025-06-18";
/** Timers cannot be set for longer. */
const longestTimer = 2 ** 31 - 1;

function toProgress({ progress, total, message }: Progress): McpProgress {
  return {
    progress,
    ...(total === undefined ? {} : { total }),
    ...(message === undefined ? {} : { message }),
  };
}

/** A question that a server has for the user. */
export interface McpElicitation {
  /** The server, as the config names it. */
  server: string;
  /** The number or name that the server gave its request. */
  id: string | number;
  message: string;
  /** The JSON Schema of what is to be filled in. */
  requestedSchema: unknown;
}

/** What the user does about it; `content` is what was filled in. */
export interface McpElicitationAnswer {
  action: "accept" | "decline" | "cancel";
  content?: Record<string, unknown>;
}

/** Puts the question to the user; the signal says that the server no longer wants to know. */
export type AnswerElicitation = (
  elicitation: McpElicitation,
  signal: AbortSignal,
) => Promise<McpElicitationAnswer>;
