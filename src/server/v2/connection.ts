import type { Peer } from "../../jsonrpc/index.js";
import type { InitializeCapabilities } from "../../protocol/rpc/v2/initialize.js";
import type { ServerNotifications } from "../../protocol/rpc/v2/methods.generated.js";
import type { Server } from "../server.js";
import { V1Connection } from "../v1/connection.js";
import { toEraFields } from "./era-fields.js";

/** One client of the app-server: it may use the methods of both versions. */
export class V2Connection extends V1Connection {
  /** What the client said of itself. */
  capabilities: InitializeCapabilities = {};

  constructor(server: Server, peer: Peer) {
    super(server, peer);
    server.hear(this);
  }

  /** Tells the client something, unless it has said that it does not want to hear of it. */
  tell<Method extends keyof ServerNotifications>(
    method: Method,
    params: ServerNotifications[Method],
  ): void {
    if (this.capabilities.optOutNotificationMethods?.includes(method)) return;
    const { clock, era } = this.server.parts;
    this.peer.notify(method, params, era.v2.emittedAt ? { emittedAtMs: clock.now() } : undefined);
  }

  /** A value of a shape without the fields that the shape did not have yet. */
  inEra<Value extends object>(shape: string, value: Value): Value {
    return toEraFields(value, this.server.parts.era.v2.lacks[shape]);
  }
}
