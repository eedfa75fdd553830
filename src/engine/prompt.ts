import type { Prompt } from "../model/types.js";
import { answerOpenCalls } from "./open-calls.js";
import baseInstructions from "./prompts/base.md";
import type { RegularTaskOptions } from "./regular-task.js";
import type { Session } from "./session.js";

/** Everything the next request asks the model. */
export function buildPrompt(
  session: Session,
  options: RegularTaskOptions,
  useStored: boolean,
): Prompt {
  const { context, history } = session;
  const previous = useStored ? history.lastResponseId : undefined;
  const items = previous === undefined ? history.items : history.sinceLastResponse();
  return {
    model: context.model,
    instructions: session.settings.baseInstructions ?? baseInstructions,
    input: previous === undefined ? answerOpenCalls(items) : items,
    tools: session.parts.tools.offered(context),
    parallelToolCalls: context.family.parallelToolCalls,
    ...reasoningOf(session),
    ...(context.verbosity === undefined ? {} : { verbosity: context.verbosity }),
    ...(options.outputSchema === undefined ? {} : { outputSchema: options.outputSchema }),
    ...(previous === undefined ? {} : { previousResponseId: previous }),
    conversationId: session.id,
  };
}

function reasoningOf({ context }: Session): Pick<Prompt, "reasoning"> {
  if (!context.family.reasoning) return {};
  const effort = context.effort === undefined ? {} : { effort: context.effort };
  return { reasoning: { ...effort, summary: context.summary } };
}
