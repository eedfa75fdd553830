import Type, { type Static } from "typebox";
import { described, Nullish, since } from "../../schema.js";
import { defineMethod } from "../declare.js";

export const ClientInfo = Type.Object(
  {
    name: Type.String({ description: "Short name of the client." }),
    title: Nullish(Type.String(), { description: "Display name of the client." }),
    version: Type.String({ description: "Version." }),
  },
  { $id: "ClientInfo", description: "Identifies a client." },
);
export interface ClientInfo extends Static<typeof ClientInfo> {}

export const InitializeCapabilities = Type.Object(
  {
    experimentalApi: Nullish(Type.Boolean(), {
      description: "Enables experimental methods and fields.",
    }),
    optOutNotificationMethods: Nullish(Type.Array(Type.String()), {
      description: "Notifications not to send, by exact method name.",
    }),
    sequenceNumbers: Nullish(Type.Boolean(), {
      description:
        "Adds `seq` to thread notifications; a client that reconnects passes it as `after` to receive missed ones.",
    }),
    runningItems: Nullish(Type.Boolean(), {
      description:
        "After `thread/resume`, sends `item/started` for each running item with its content so far and for messages that were cut off with their turn, and the plan and diff of the running turn.",
    }),
    legacyEvents: Nullish(Type.Boolean(), {
      description: "Also sends the events of threads as `codex/event/…`.",
    }),
  },
  { $id: "InitializeCapabilities", description: "Capabilities of a client." },
);
export interface InitializeCapabilities extends Static<typeof InitializeCapabilities> {}

export const InitializeParams = Type.Object(
  {
    clientInfo: described(ClientInfo, "The client."),
    capabilities: described(Type.Optional(InitializeCapabilities), "Capabilities."),
  },
  { $id: "InitializeParams", description: "Params of `initialize`." },
);
export interface InitializeParams extends Static<typeof InitializeParams> {}

export const ServerInfo = Type.Object(
  {
    name: Type.String({ description: "Program name: `quire`." }),
    version: Type.String({ description: "Program version." }),
  },
  { $id: "ServerInfo", description: "Identifies the server, regardless of the emulated version." },
);
export interface ServerInfo extends Static<typeof ServerInfo> {}

export const InitializeResponse = Type.Object(
  {
    userAgent: Type.String({
      description: "`User-Agent` header sent to the model provider, with the emulated version.",
    }),
    codexHome: since(
      "0.166",
      Type.String({ description: "Directory of the user's settings and threads." }),
    ),
    platformFamily: since("0.166", Type.String({ description: "`unix` or `windows`." })),
    platformOs: since(
      "0.166",
      Type.String({ description: "Operating system: `linux`, `macos` or `windows`." }),
    ),
    serverInfo: since(
      "current",
      described(Type.Optional(ServerInfo), "Identifies the server; not part of the reference."),
    ),
  },
  { $id: "InitializeResponse", description: "Result of `initialize`." },
);
export interface InitializeResponse extends Static<typeof InitializeResponse> {}

export const initializeMethods = [
  defineMethod({
    name: "initialize",
    summary: "Initializes the connection. Must be the first request.",
    scope: "connection",
    params: InitializeParams,
    result: InitializeResponse,
  }),
];
