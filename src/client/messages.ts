import type {
  V1Methods,
  V1Notifications,
  V1ServerRequests,
} from "../protocol/rpc/v1/methods.generated.js";
import type {
  V2Methods,
  V2Notifications,
  V2ServerRequests,
} from "../protocol/rpc/v2/methods.generated.js";
import type { EventMsg } from "../protocol/types.js";

/** The methods of both versions; one that both have is that of v2. */
type Methods = V2Methods & Omit<V1Methods, keyof V2Methods>;
type ServerRequests = V2ServerRequests & V1ServerRequests;
type ServerNotifications = V2Notifications & Omit<V1Notifications, "codex/event/*">;

/** The name of a method that a client can call, of v2 or v1. */
export type ClientMethod = keyof Methods;

/** What a request takes. */
export type ParamsOf<Method extends ClientMethod> = Methods[Method]["params"];

/** What a request is answered with. */
export type ResultOf<Method extends ClientMethod> = Methods[Method]["result"];

/** A notification of the server; `switch` on `method` to know its params. */
export type ServerNotification =
  | {
      [Method in keyof ServerNotifications]: {
        method: Method;
        params: ServerNotifications[Method];
        /** Its number in the thread, if the client asked for `sequenceNumbers`. */
        seq?: number;
      };
    }[keyof ServerNotifications]
  | EventNotification;

/** An event of a conversation, for clients of v1 and those that asked for `legacyEvents`. */
export type EventNotification = {
  [Type in EventMsg["type"]]: {
    method: `codex/event/${Type}`;
    params: { id: string; msg: Extract<EventMsg, { type: Type }>; conversationId: string };
    seq?: number;
  };
}[EventMsg["type"]];

/** The name of something that the server can ask its client. */
export type ServerMethod = keyof ServerRequests;

/** One question of the server while it is being answered. */
export interface ServerQuestion {
  /** What the server calls it, also in `serverRequest/resolved`. */
  id: number | string;
  /** Aborts when the answer is not wanted any more: another client gave it, or the connection ended. */
  signal: AbortSignal;
}

/** Answers a question of the server; what it returns or resolves with is the answer. */
export type ServerRequestHandler<Method extends ServerMethod> = (
  params: ServerRequests[Method]["params"],
  question: ServerQuestion,
) => ServerRequests[Method]["result"] | Promise<ServerRequests[Method]["result"]>;

/** Who answers which question. */
export type ServerRequestHandlers = {
  [Method in ServerMethod]?: ServerRequestHandler<Method>;
};
