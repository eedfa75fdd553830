import Type, { type Static } from "typebox";
import { described, Nullish } from "../../schema.js";
import { defineMethod } from "../declare.js";

export const ClientInfo = Type.Object(
  {
    name: Type.String({ description: "The program, in a word." }),
    title: Nullish(Type.String(), { description: "The program, for people." }),
    version: Type.String({ description: "Its version." }),
  },
  { $id: "ClientInfo", description: "Who drives us." },
);
export interface ClientInfo extends Static<typeof ClientInfo> {}

export const InitializeCapabilities = Type.Object(
  {
    experimentalApi: Nullish(Type.Boolean(), {
      description: "The client may use methods and fields that can still change.",
    }),
    optOutNotificationMethods: Nullish(Type.Array(Type.String()), {
      description: "Notifications it does not want, by their exact names.",
    }),
    sequenceNumbers: Nullish(Type.Boolean(), {
      description:
        "Notifications of threads carry `seq`, by which a client that comes back asks for what it missed (`after`).",
    }),
    legacyEvents: Nullish(Type.Boolean(), {
      description: "It also wants the events of the queues, as `codex/event/…`.",
    }),
  },
  { $id: "InitializeCapabilities", description: "What a client can do with what it is told." },
);
export interface InitializeCapabilities extends Static<typeof InitializeCapabilities> {}

export const InitializeParams = Type.Object(
  {
    clientInfo: described(ClientInfo, "Who it is."),
    capabilities: described(Type.Optional(InitializeCapabilities), "What it can do."),
  },
  { $id: "InitializeParams", description: "The first words of a client." },
);
export interface InitializeParams extends Static<typeof InitializeParams> {}

export const ServerInfo = Type.Object(
  {
    name: Type.String({ description: "The program: `quire`." }),
    version: Type.String({ description: "Its own version." }),
  },
  { $id: "ServerInfo", description: "Which program answers, whatever it is compatible with." },
);
export interface ServerInfo extends Static<typeof ServerInfo> {}

export const InitializeResponse = Type.Object(
  {
    userAgent: Type.String({
      description:
        "What we call ourselves towards the model's server, with the version we are compatible with.",
    }),
    codexHome: Type.String({ description: "The folder of the user's settings and threads." }),
    platformFamily: Type.String({ description: "`unix` or `windows`." }),
    platformOs: Type.String({ description: "The operating system: `linux`, `macos`, `windows`." }),
    serverInfo: described(
      Type.Optional(ServerInfo),
      "Who we are; not in the versions that we are compatible with.",
    ),
  },
  { $id: "InitializeResponse", description: "Who answers." },
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
