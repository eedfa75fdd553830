import type { ModelAuthSource, ModelClient } from "../../model/index.js";
import { noModelText } from "../../model/local-servers.js";

/** Asks the model only for a user who is signed in; the others are told what they can do. */
export function requireLogin(client: ModelClient, auth: ModelAuthSource): ModelClient {
  return {
    async *stream(prompt, signal) {
      if ((await auth.current()) !== undefined) {
        yield* client.stream(prompt, signal);
        return;
      }
      const failure = { kind: "auth", message: noModelText(), retryable: false } as const;
      yield [{ type: "failed", failure }];
    },
    close: () => client.close(),
  };
}
