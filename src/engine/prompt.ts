import type { Prompt } from "../model/types.js";
import type { ResponseItem } from "../protocol/types.js";
import { normalizeItems } from "../rollout/index.js";
import type { Conversation } from "./conversation.js";
import { instructionsFor } from "./instructions.js";
import { toneText } from "./opening/modes.js";
import { requestIdentity } from "./request-identity.js";
import type { Task } from "./task.js";
import type { TurnContext } from "./turn-context.js";

/** Everything the next request asks the model. */
export function buildPrompt(
  conversation: Conversation,
  { task, useStored }: { task: Task; useStored: boolean },
): Prompt {
  const { context, history, outputSchema } = conversation;
  const previous = useStored ? history.lastResponseId : undefined;
  const items = previous === undefined ? history.items : history.sinceLastResponse();
  const tools = conversation.tools.offered(context);
  return {
    model: context.model,
    ...withInstructions(task, {
      instructions: instructionsFor({
        override: conversation.instructions,
        family: context.family,
        tools,
        tone: task.session.parts.era.engine.toneInInstructions ? toneText(context) : "",
      }),
      input: previous === undefined ? normalizeItems(items) : items,
    }),
    tools,
    parallelToolCalls: context.family.parallelToolCalls,
    ...reasoningOf(context),
    ...verbosityOf(context),
    ...(outputSchema === undefined ? {} : { outputSchema }),
    ...(previous === undefined ? {} : { previousResponseId: previous }),
    ...requestIdentity(task, conversation),
  };
}

/** The instructions where the version has them: in their field, or as the first message. */
export function withInstructions(
  { session }: Task,
  { instructions, input }: { instructions: string; input: readonly ResponseItem[] },
): Pick<Prompt, "instructions" | "input"> {
  if (session.parts.era.model.instructionsIn === "field") return { instructions, input };
  return { input: [session.instructions.of(instructions), ...input] };
}

function verbosityOf({ verbosity, family }: TurnContext): Pick<Prompt, "verbosity"> {
  const asked = verbosity ?? family.defaultVerbosity;
  return asked === undefined ? {} : { verbosity: asked };
}

/** What a request says about reasoning; nothing for models that do not. */
export function reasoningOf(context: TurnContext): Pick<Prompt, "reasoning"> {
  if (!context.family.reasoning) return {};
  const { effort = context.family.defaultEffort, summary } = context;
  return { reasoning: { ...(effort === undefined ? {} : { effort }), summary } };
}
