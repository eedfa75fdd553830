import type { Answer, Step } from "../src/model/scripted/index.js";
import type { Writer, WritingPartner } from "./partner.js";

/** User messages in order, one turn each. */
export const prompts = {
  greet: "Greet the harbour master.",
  count: "Count the boats at the pier.",
  note: "Note the tide in tide.txt.",
  wait: "Wait for the ferry.",
  again: "Take up the logbook again.",
  later: "Close the logbook for today.",
} as const;

/** Answers of the model. */
export const answered = {
  greet: "Good morning, harbour master.",
  count: "Three boats.",
  summary: "SUMMARY: greeted; three boats counted.",
  note: "The tide is noted.",
  wait: "The ferry is",
  again: "Here is the logbook.",
  later: "Closed.",
} as const;

/** The patch that the model makes. */
export const patch = "*** Begin Patch\n*** Add File: tide.txt\n+high water at noon\n*** End Patch";

/** The model's side of `holdConversation`, one answer for each request. */
export function conversationScript(writer: Writer): Answer[] {
  return [
    [{ message: answered.greet }],
    [writer.runs("echo 3 boats", "call_count")],
    [{ message: answered.count }],
    [{ message: answered.summary }],
    [{ reasoning: ["**Looking** at the tide"], encrypted: "ENC" }, applyPatch],
    [writer.runs("cat tide.txt", "call_cat")],
    [{ message: answered.note }],
    [...beginning(answered.wait), { hang: true }],
  ];
}

/** A message whose first piece comes and whose end does not. */
function beginning(text: string): Step[] {
  const at = { item_id: "msg_wait", output_index: 0 };
  const item = { id: "msg_wait", type: "message", role: "assistant", content: [] };
  return [
    { type: "response.output_item.added", output_index: 0, item },
    { type: "response.output_text.delta", ...at, content_index: 0, delta: text },
  ];
}

const applyPatch: Step = { apply_patch: patch, call_id: "call_patch" };

/** A message, a command, a summary of both, a patch and a command, and an interrupted turn. */
export async function holdConversation(partner: WritingPartner): Promise<void> {
  await partner.say(prompts.greet);
  await partner.say(prompts.count);
  await partner.compact();
  await partner.say(prompts.note);
  await partner.interrupt(prompts.wait);
  await partner.leave();
}

/** Items the model must still receive afterwards, as an outline. */
export function keptOf({ marksInterruption }: Writer): string[] {
  return [
    `user: ${prompts.greet}`,
    `user: ${prompts.count}`,
    "summary",
    `user: ${prompts.note}`,
    "reasoning",
    "call_patch: apply_patch",
    "call_patch → Success. Updated the following files:",
    "call_cat: cat tide.txt",
    "call_cat → high water at noon",
    `assistant: ${answered.note}`,
    `user: ${prompts.wait}`,
    ...(marksInterruption ? ["marked as interrupted"] : []),
  ];
}

/** Messages a client must receive: those of the user and the model. */
export const recalled: readonly string[] = [
  `user: ${prompts.greet}`,
  `agent: ${answered.greet}`,
  `user: ${prompts.count}`,
  `agent: ${answered.count}`,
  `user: ${prompts.note}`,
  `agent: ${answered.note}`,
  `user: ${prompts.wait}`,
];
