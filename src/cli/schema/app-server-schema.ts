/** A JSON Schema, as far as ours use it. */
export interface Schema {
  $ref?: string;
  type?: string | readonly string[];
  const?: unknown;
  enum?: readonly unknown[];
  properties?: Record<string, Schema>;
  required?: readonly string[];
  additionalProperties?: Schema | boolean;
  items?: Schema;
  anyOf?: readonly Schema[];
  oneOf?: readonly Schema[];
  description?: string;
}

/** A message of the protocol and the shapes it carries. */
export interface Message {
  kind: "method" | "notification" | "server request" | "client notification";
  name: string;
  summary: string;
  params?: string;
  result?: string;
}

/** All of the protocol, as the generated file has it. */
export interface AppServerSchema {
  messages: Message[];
  $defs: Record<string, Schema>;
}

/** The unions of messages that generated code has, by name. */
export const messageUnions = {
  ClientRequest: "method",
  ClientNotification: "client notification",
  ServerNotification: "notification",
  ServerRequest: "server request",
} as const satisfies Record<string, Message["kind"]>;

/** The messages of a kind; the one that only clients send stands in no schema, for it says nothing. */
export function messagesOf({ messages }: AppServerSchema, kind: Message["kind"]): Message[] {
  if (kind === "client notification") {
    return [{ kind, name: "initialized", summary: "The client has read the first answer." }];
  }
  return messages.filter((message) => message.kind === kind);
}

/** Whether messages of a kind are answered, so that they have an id. */
export function isAnswered(kind: Message["kind"]): boolean {
  return kind === "method" || kind === "server request";
}
