import type { EngineBehavior } from "../../compat/index.js";
import type { ResponseItem } from "../../protocol/types.js";
import friendlyText from "../prompts/personality-friendly.md";
import pragmaticText from "../prompts/personality-pragmatic.md";
import planModeText from "../prompts/plan-mode.md";
import type { TurnContext } from "../turn-context.js";
import { developerMessage } from "./messages.js";

/** What the model must be told because a turn works in another mode or tone than the one before. */
export function modeMessages(
  before: TurnContext | undefined,
  after: TurnContext,
  { toneInInstructions }: Pick<EngineBehavior, "toneInInstructions">,
): ResponseItem[] {
  const modes = collaborationMessage(before, after);
  const isSaid = toneInInstructions && before === undefined;
  return isSaid ? modes : [...modes, ...personalityMessage(before, after)];
}

/** The tone of a conversation, where it is a part of its instructions. */
export function toneText({ personality }: Pick<TurnContext, "personality">): string {
  if (personality === undefined || personality === "none") return "";
  return `\n\n${personalityTexts[personality].trimEnd()}`;
}

function collaborationMessage(before: TurnContext | undefined, after: TurnContext): ResponseItem[] {
  const [was, is] = [before?.collaboration_mode, after.collaboration_mode];
  if (is === undefined || JSON.stringify(was) === JSON.stringify(is)) return [];
  const own = is.settings?.developer_instructions;
  const usual = is.mode === "plan" ? planModeText.trimEnd() : defaultModeText;
  // A conversation that has only ever worked needs no word about that.
  if (is.mode === "default" && was === undefined && own == null) return [];
  return [developerMessage(`<collaboration_mode>${own ?? usual}</collaboration_mode>`)];
}

const defaultModeText =
  "You work on the task again: plan mode is over, and you may change files and run commands as far as the rules allow.";

function personalityMessage(before: TurnContext | undefined, after: TurnContext): ResponseItem[] {
  const { personality } = after;
  if (personality === undefined || personality === before?.personality) return [];
  if (personality === "none" && before?.personality === undefined) return [];
  const text = personalityTexts[personality].trimEnd();
  return [developerMessage(`<personality_spec>${text}</personality_spec>`)];
}

const personalityTexts = {
  none: "Write in your usual tone again.",
  friendly: friendlyText,
  pragmatic: pragmaticText,
};
