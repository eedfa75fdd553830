import type { Environment } from "../../config/index.js";
import type { ModelClient, ModelProvider, Prompt } from "../../model/index.js";
import {
  findLocalServers,
  type LocalServer,
  noModelText,
  preferredModel,
} from "../../model/local-servers.js";

/** How a model on this machine is found and asked. */
export interface LocalModelParts {
  env: Environment;
  createClient(provider: ModelProvider): Promise<ModelClient>;
  /** Instead of looking at the usual places. */
  find?(env: Environment): Promise<LocalServer[]>;
}

/**
 * Asks a model server of this machine, whichever answers.
 *
 * It is looked for when the first request is made, and again when it was not there. A model that the
 * server does not have is replaced by the one of its models that suits the work best.
 */
export function createLocalModel({ env, createClient, find }: LocalModelParts): ModelClient {
  let found: { client: ModelClient; models: readonly string[] } | undefined;
  const look = find ?? ((environment) => findLocalServers({ env: environment }));
  return {
    async *stream(prompt, signal) {
      if (found === undefined) {
        const server = (await look(env)).find(({ models }) => models.length > 0);
        if (server === undefined) {
          const failure = { kind: "auth", message: noModelText(), retryable: false } as const;
          yield [{ type: "failed", failure }];
          return;
        }
        found = { client: await createClient(server.provider), models: server.models };
      }
      yield* found.client.stream(withModelOf(found.models, prompt), signal);
    },
    close: () => found?.client.close(),
  };
}

function withModelOf(models: readonly string[], prompt: Prompt): Prompt {
  if (models.includes(prompt.model)) return prompt;
  return { ...prompt, model: preferredModel(models) ?? prompt.model };
}
