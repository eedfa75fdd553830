import type { Prompt } from "../model/types.js";
import { instructionsFor } from "./instructions.js";
import { answerOpenCalls } from "./open-calls.js";
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
  const tools = session.parts.tools.offered(context);
  return {
    model: context.model,
    instructions: instructionsFor({
      override: session.settings.baseInstructions,
      family: context.family,
      tools,
    }),
    input: previous === undefined ? answerOpenCalls(items) : items,
    tools,
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
