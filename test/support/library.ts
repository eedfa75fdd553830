import { vi } from "vitest";
import { CodexClient, connectAppServer, type ThreadOptions } from "../../src/client/index.js";
import type { Script } from "../../src/model/scripted/index.js";
import { serveAppServer } from "../../src/server/app-server.js";
import { linkedChannels } from "../../src/transport/index.js";
import { startTestServer } from "./server.js";

/** Creates threads on a server in this process with a scripted model. */
export async function startCodex(model: Script, defaults: ThreadOptions = {}) {
  const server = await startTestServer({ serve: serveAppServer, model });
  const codex = new CodexClient((handlers) => {
    const [own, theirs] = linkedChannels();
    void serveAppServer(theirs, server.server);
    return connectAppServer(own, { handlers });
  }, defaults);
  return {
    workspace: server.workspace,
    /** Resolves once the model has got so many requests, so that their answers are used. */
    asked: (count = 1) => vi.waitUntil(() => server.prompts.length >= count, { timeout: 20_000 }),
    /** Ids of the threads that the server has loaded. */
    loaded: () => server.server.threads.ids,
    prompts: server.prompts,
    client: codex,
    startThread: (options?: ThreadOptions) => codex.startThread(options),
    resumeThread: (id: string, options?: ThreadOptions) => codex.resumeThread(id, options),
    async [Symbol.asyncDispose]() {
      await codex.close();
      await server[Symbol.asyncDispose]();
    },
  };
}
