import type { InitializeCapabilities } from "../../protocol/rpc/v2/initialize.js";
import { V1Connection } from "../v1/connection.js";

/** One client of the app-server: it may use the methods of both versions. */
export class V2Connection extends V1Connection {
  /** What the client said of itself. */
  capabilities: InitializeCapabilities = {};
}
