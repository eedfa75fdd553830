import type { AgentThread } from "../../agents/index.js";
import { createDeferred } from "../../lib/async.js";
import { CodexError } from "../../protocol/error.js";
import type { ConfigureSessionOp, Event } from "../../protocol/types.js";
import { createQueues, runCodex } from "../codex.js";
import type { AgentContext, EngineParts } from "../parts.js";

/** Runs the engine of a helper agent in this process; resolves when it is configured. */
export async function runAgent(
  parts: EngineParts,
  op: ConfigureSessionOp,
  agent: AgentContext,
  onEvent: (event: Event) => void,
): Promise<AgentThread> {
  const queues = createQueues();
  const started = createDeferred<void>();
  let count = 0;
  const submit: AgentThread["submit"] = (next) => {
    queues.submissions.push({ id: `${agent.self.threadId}-${count++}`, op: next });
  };
  const running = runCodex(queues, { ...parts, agent });
  running.catch(started.reject);
  void readEvents();
  submit(op);
  await started.promise;
  return {
    submit,
    async close() {
      submit({ type: "shutdown" });
      await running.catch(() => undefined);
    },
  };

  async function readEvents(): Promise<void> {
    let isStarted = false;
    for await (const event of queues.events) {
      if (event.msg.type === "session_configured") {
        isStarted = true;
        started.resolve();
      } else if (!isStarted && event.msg.type === "error") {
        queues.submissions.close();
        started.reject(new CodexError("config", event.msg.message));
      }
      agent.questions?.forward(agent.self, event);
      onEvent(event);
    }
  }
}
