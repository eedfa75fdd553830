/** A JSON Schema, as far as ours use it. */
export interface Schema {
  $ref?: string;
  type?: string | readonly string[];
  const?: unknown;
  enum?: readonly unknown[];
  pattern?: string;
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

/** One version of the protocol, as the generated file has it. */
export interface AppServerSchema {
  messages: Message[];
  $defs: Record<string, Schema>;
}

/** All that is written for clients: v1 with the shapes of the queues, and v2. */
export interface Protocol {
  v1: AppServerSchema;
  v2: AppServerSchema;
}

/** Folders of the generated shapes: v1 and the queues at the root, v2 below. */
export type Folder = "" | "v2";

/** A message with the place of its shapes. */
export interface PlacedMessage extends Message {
  folder: Folder;
}

/** The unions of messages that generated code has, by name. */
export const messageUnions = {
  ClientRequest: "method",
  ClientNotification: "client notification",
  ServerNotification: "notification",
  ServerRequest: "server request",
} as const satisfies Record<string, Message["kind"]>;

/**
 * The messages of a kind in both versions; one that both have is that of v2.
 *
 * The one that only clients send is in no schema, for it has no params.
 */
export function messagesOf({ v1, v2 }: Protocol, kind: Message["kind"]): PlacedMessage[] {
  if (kind === "client notification") {
    const summary = "The client has read the first answer.";
    return [{ kind, name: "initialized", summary, folder: "v2" }];
  }
  const newer = new Set(v2.messages.map(({ name }) => name));
  const placed = [
    ...v1.messages.filter(({ name }) => !newer.has(name)).map((one) => ({ ...one, folder: "" })),
    ...v2.messages.map((one) => ({ ...one, folder: "v2" })),
  ] as PlacedMessage[];
  return placed.filter((message) => message.kind === kind);
}

/** Returns true if messages of a kind have a response, and thus an id. */
export function isAnswered(kind: Message["kind"]): boolean {
  return kind === "method" || kind === "server request";
}

/** The name of a shape that a reference points to. */
export function nameIn(reference: string): string {
  return reference.slice("#/$defs/".length);
}

/** The names of the shapes that a schema refers to. */
export function referencesIn(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === "$ref" && typeof inner === "string" ? [nameIn(inner)] : referencesIn(inner),
  );
}
