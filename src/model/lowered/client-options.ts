import type { ResponsesClientOptions } from "../responses-client.js";

/** Options of a client of another API than Responses. */
export interface LoweredClientOptions extends ResponsesClientOptions {
  /** Creates ids for items, and for calls that the model sent without one. */
  newId: () => string;
}
