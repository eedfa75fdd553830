import type { Prompt } from "../model/types.js";
import { normalizeItems } from "../rollout/index.js";
import type { Conversation } from "./conversation.js";
import { instructionsFor } from "./instructions.js";
import type { Session } from "./session.js";
import type { TurnContext } from "./turn-context.js";

/** Everything the next request asks the model. */
export function buildPrompt(
  session: Session,
  conversation: Conversation,
  useStored: boolean,
): Prompt {
  const { context, history, outputSchema } = conversation;
  const previous = useStored ? history.lastResponseId : undefined;
  const items = previous === undefined ? history.items : history.sinceLastResponse();
  const tools = conversation.tools.offered(context);
  return {
    model: context.model,
    instructions: instructionsFor({
      override: conversation.instructions,
      family: context.family,
      tools,
    }),
    input: previous === undefined ? normalizeItems(items) : items,
    tools,
    parallelToolCalls: context.family.parallelToolCalls,
    ...reasoningOf(context),
    ...(context.verbosity === undefined ? {} : { verbosity: context.verbosity }),
    ...(outputSchema === undefined ? {} : { outputSchema }),
    ...(previous === undefined ? {} : { previousResponseId: previous }),
    conversationId: session.id,
  };
}

/** What a request says about reasoning; nothing for models that do not. */
export function reasoningOf(context: TurnContext): Pick<Prompt, "reasoning"> {
  if (!context.family.reasoning) return {};
  const effort = context.effort === undefined ? {} : { effort: context.effort };
  return { reasoning: { ...effort, summary: context.summary } };
}
