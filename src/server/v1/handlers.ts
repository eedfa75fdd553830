import type { Handlers } from "../../jsonrpc/index.js";
import type { V1Methods } from "../../protocol/rpc/v1/methods.generated.js";
import type { Connection } from "../connection.js";

/** Handlers of the v1 methods; `initialize` is handled by the surface that serves them. */
export type V1Handlers = Handlers<Omit<V1Methods, "initialize">, Connection>;
