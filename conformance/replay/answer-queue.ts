import { agentOf, isOfAgent } from "../trace/agents.js";
import type { ModelRequest, ModelResponse, Trace } from "../trace/trace.js";

/**
 * Creates a function that returns the recorded answer to each request of a run.
 *
 * Requests of helper agents race with those of their root, so each agent gets its own answers in
 * their order. All others get the answers in the order of the trace.
 */
export function createAnswerQueue({
  requests,
  responses,
}: Pick<Trace, "requests" | "responses">): (request: ModelRequest) => ModelResponse | undefined {
  if (!isOfAgent(requests)) {
    let next = 0;
    return () => responses[next++];
  }
  const queues = new Map<string, ModelResponse[]>();
  for (const [at, request] of requests.entries()) {
    const answer = responses.find(({ n }) => n === (request.n ?? at)) ?? responses[at];
    const agent = agentOf(request);
    if (answer) queues.set(agent, [...(queues.get(agent) ?? []), answer]);
  }
  return (request) => {
    const agent = agentOf(request);
    // Agents of the first generation have no names: a trace has one of them.
    const queue = queues.get(agent) ?? [...queues].find(([name]) => name !== "/root")?.[1];
    return queue?.shift();
  };
}
