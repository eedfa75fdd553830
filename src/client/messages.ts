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

/** Methods of both versions; v2 takes precedence. */
type Methods = V2Methods & Omit<V1Methods, keyof V2Methods>;
type ServerRequests = V2ServerRequests & V1ServerRequests;
type ServerNotifications = V2Notifications & Omit<V1Notifications, "codex/event/*">;

/** The name of a method that a client can call, of v2 or v1. */
export type ClientMethod = keyof Methods;

/** Params of a request. */
export type ParamsOf<Method extends ClientMethod> = Methods[Method]["params"];

/** Result of a request. */
export type ResultOf<Method extends ClientMethod> = Methods[Method]["result"];

/** A notification of the server; `switch` on `method` to know its params. */
export type ServerNotification =
  | {
      [Method in keyof ServerNotifications]: {
        method: Method;
        params: ServerNotifications[Method];
        /** Sequence number in the thread, with the capability `sequenceNumbers`. */
        seq?: number;
      };
    }[keyof ServerNotifications]
  | EventNotification;

/** An event of the engine, for clients of v1 and those with the capability `legacyEvents`. */
export type EventNotification = {
  [Type in EventMsg["type"]]: {
    method: `codex/event/${Type}`;
    params: { id: string; msg: Extract<EventMsg, { type: Type }>; conversationId: string };
    seq?: number;
  };
}[EventMsg["type"]];

/** Method of a server request. */
export type ServerMethod = keyof ServerRequests;

/** A server request that is being handled. */
export interface ServerQuestion {
  /** Request id, as in `serverRequest/resolved`. */
  id: number | string;
  /** Aborts when another client has answered, or the connection has ended. */
  signal: AbortSignal;
}

/** Handles a server request; returns the result. */
export type ServerRequestHandler<Method extends ServerMethod> = (
  params: ServerRequests[Method]["params"],
  question: ServerQuestion,
) => ServerRequests[Method]["result"] | Promise<ServerRequests[Method]["result"]>;

/** Handlers of server requests, by method. */
export type ServerRequestHandlers = {
  [Method in ServerMethod]?: ServerRequestHandler<Method>;
};
