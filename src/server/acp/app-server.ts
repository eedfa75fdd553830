import type { LocalOptions } from "../../engine/index.js";
import type {
  V2Methods,
  V2Notifications,
  V2ServerRequests,
} from "../../protocol/rpc/v2/methods.generated.js";
import type { Channel } from "../../transport/index.js";

/** A notification of the app-server; `switch` on `method` to know its params. */
export type AppNotification = {
  [Method in keyof V2Notifications]: { method: Method; params: V2Notifications[Method] };
}[keyof V2Notifications];

/** The app-server, as the adapter uses it: an initialized client of v2. */
export interface AppServer {
  /** Sends a request in the name of the server's owner. */
  request<Method extends keyof V2Methods>(
    method: Method,
    params: V2Methods[Method]["params"],
    signal?: AbortSignal,
  ): Promise<V2Methods[Method]["result"]>;
  /** Subscribes to all notifications, in order. */
  onNotification(listener: (notification: AppNotification) => void): () => void;
  /** Handles one method of server requests. The signal aborts when the request needs no answer. */
  onRequest<Method extends keyof V2ServerRequests>(
    method: Method,
    handler: (
      params: V2ServerRequests[Method]["params"],
      question: { signal: AbortSignal },
    ) => Promise<V2ServerRequests[Method]["result"]>,
  ): () => void;
  /** Ends the server and its threads. */
  close(): Promise<void>;
}

/** Name and version of a client. */
export interface ClientIdentity {
  /** Name of the program, for logs and the user agent. */
  name: string;
  /** Name of the program for people. */
  title: string | null;
  /** Version of the program. */
  version: string;
}

/** Access of the engine to the open files and the terminals of the editor; set once it is served. */
export interface EditorServices {
  /** Returns the editor that has the files of a thread open, if there is one. */
  buffers?: LocalOptions["buffers"];
  /** Returns the editor that runs commands of a thread in its terminals, if there is one. */
  terminals?: LocalOptions["terminals"];
}

/** Connects a client of v2 to an app-server on a channel, under the name of the editor. */
export type ConnectAppServer = (channel: Channel, client: ClientIdentity) => Promise<AppServer>;
