import {
  type AnyMessage,
  type ClientCapabilities,
  type ClientContext,
  client,
  type NewSessionResponse,
  type PromptResponse,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
  type SessionUpdate,
  type Stream,
} from "@agentclientprotocol/sdk";
import { connectAppServer } from "../../src/client/index.js";
import type { AppServer, EditorServices } from "../../src/server/acp/app-server.js";
import { serveAcp } from "../../src/server/acp/serve.js";
import { toStream } from "../../src/server/acp/stream.js";
import { type Channel, linkedChannels } from "../../src/transport/index.js";
import { AcpSchema } from "./acp-schema.js";
import { startTestServer, type TestServer, type TestServerOptions } from "./server.js";

/** Options of an editor under test. */
export interface AcpOptions extends Omit<TestServerOptions, "serve"> {
  capabilities?: ClientCapabilities;
  /** Chooses an option of a permission request; default: none, the request is never answered. */
  permit?(request: RequestPermissionRequest): string | undefined | Promise<string | undefined>;
  /** Answers other requests of the agent. */
  answer?(method: string, params: unknown): unknown;
}

/** An editor that is connected to the agent. Every message of the agent is checked by the schema. */
export interface TestEditor extends AsyncDisposable {
  server: TestServer;
  workspace: string;
  agent: ClientContext;
  channel: Channel;
  /** Resolves when the agent has ended. */
  served: Promise<void>;
  updates: { sessionId: string; update: SessionUpdate }[];
  permissions: RequestPermissionRequest[];
  /** Messages of the agent that the schema does not allow. */
  problems: string[];
  newSession(): Promise<NewSessionResponse>;
  prompt(sessionId: string, text: string): Promise<string>;
  /** Waits for an update. */
  until<Kind extends SessionUpdate["sessionUpdate"]>(
    kind: Kind,
    fits?: (update: Extract<SessionUpdate, { sessionUpdate: Kind }>) => boolean,
  ): Promise<Extract<SessionUpdate, { sessionUpdate: Kind }>>;
  /** Waits until a condition holds; it is checked after each message. */
  when(holds: () => boolean): Promise<void>;
  /** Text of the answers so far. */
  text(kind?: "agent_message_chunk" | "agent_thought_chunk" | "user_message_chunk"): string;
}

/** Starts the agent on a scripted model and connects an editor; dispose it with `await using`. */
export async function startEditor(options: AcpOptions = {}): Promise<TestEditor> {
  const files: EditorServices = {};
  const buffers = (threadId: string) => files.buffers?.(threadId);
  const terminals = (threadId: string) => files.terminals?.(threadId);
  const server = await startTestServer({ ...options, buffers, terminals, serve: async () => {} });
  const [own, theirs] = linkedChannels();
  const served = serveAcp(theirs, server.server, {
    connect: (channel, clientInfo) =>
      connectAppServer(channel, { clientInfo }) as Promise<AppServer>,
    editor: files,
  });
  const schema = new AcpSchema();
  const updates: TestEditor["updates"] = [];
  const permissions: RequestPermissionRequest[] = [];
  const waiting = new Set<() => void>();
  const wake = () => {
    for (const one of [...waiting]) one();
  };
  const app = client({ name: "test" })
    .onNotification("session/update", ({ params }) => {
      updates.push(params);
      wake();
    })
    .onRequest("session/request_permission", async ({ params, signal }) => {
      permissions.push(params);
      wake();
      if (options.permit === undefined) return cancelledBy(signal);
      const optionId = await options.permit(params);
      if (optionId === undefined) return { outcome: { outcome: "cancelled" } };
      return { outcome: { outcome: "selected", optionId } };
    })
    .onRequest("*", ({ method, params }) => {
      if (options.answer === undefined) throw new Error(`no answer to ${method}`);
      return options.answer(method, params) as object;
    });
  const connection = app.connect(checked(toStream(own), schema));
  const { agent } = connection;
  await agent.request("initialize", {
    protocolVersion: 1,
    clientInfo: { name: "test-editor", version: "1.0" },
    ...(options.capabilities && { clientCapabilities: options.capabilities }),
  });
  const when = async (holds: () => boolean) => {
    while (!holds()) {
      await new Promise<void>((resolve) => {
        const one = () => {
          waiting.delete(one);
          resolve();
        };
        waiting.add(one);
      });
    }
  };
  return {
    server,
    workspace: server.workspace,
    agent,
    channel: own,
    served,
    updates,
    permissions,
    problems: schema.problems,
    when,
    newSession: () => agent.request("session/new", { cwd: server.workspace, mcpServers: [] }),
    async prompt(sessionId, text) {
      const prompt = [{ type: "text" as const, text }];
      const reply: PromptResponse = await agent.request("session/prompt", { sessionId, prompt });
      return reply.stopReason;
    },
    async until(kind, fits = () => true) {
      let found: SessionUpdate | undefined;
      await when(() => {
        found = updates
          .map(({ update }) => update)
          .find((update) => update.sessionUpdate === kind && fits(update as never));
        return found !== undefined;
      });
      return found as never;
    },
    text: (kind = "agent_message_chunk") =>
      updates
        .flatMap(({ update }) =>
          update.sessionUpdate === kind && update.content.type === "text"
            ? [update.content.text]
            : [],
        )
        .join(""),
    async [Symbol.asyncDispose]() {
      connection.close();
      await own.close();
      await served;
      await server[Symbol.asyncDispose]();
    },
  };
}

/** Resolves when the agent no longer waits for the answer. */
function cancelledBy(signal: AbortSignal): Promise<RequestPermissionResponse> {
  return new Promise((resolve) => {
    const cancel = () => resolve({ outcome: { outcome: "cancelled" } });
    signal.addEventListener("abort", cancel, { once: true });
  });
}

function checked({ readable, writable }: Stream, schema: AcpSchema): Stream {
  const incoming = new TransformStream<AnyMessage, AnyMessage>({
    transform(message, controller) {
      schema.received(message);
      controller.enqueue(message);
    },
  });
  const outgoing = new TransformStream<AnyMessage, AnyMessage>({
    transform(message, controller) {
      schema.sent(message);
      controller.enqueue(message);
    },
  });
  void outgoing.readable.pipeTo(writable).catch(() => undefined);
  return { readable: readable.pipeThrough(incoming), writable: outgoing.writable };
}
