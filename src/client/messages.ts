import type {
  ClientRequests,
  ServerNotifications,
  ServerRequests,
} from "../protocol/rpc/v2/methods.generated.js";

/** The name of something that a client can ask. */
export type ClientMethod = keyof ClientRequests;

/** What a request takes. */
export type ParamsOf<Method extends ClientMethod> = ClientRequests[Method]["params"];

/** What a request is answered with. */
export type ResultOf<Method extends ClientMethod> = ClientRequests[Method]["result"];

/** Something that the server tells; `switch` on `method` to know its params. */
export type ServerNotification = {
  [Method in keyof ServerNotifications]: { method: Method; params: ServerNotifications[Method] };
}[keyof ServerNotifications];

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
