import type { Event } from "../../../protocol/types.js";
import type { Teller } from "../from-event/teller.js";
import type { EventOf } from "../from-event/translators.js";
import { commandQuestion, patchQuestion } from "./approval.js";
import { elicitationQuestion } from "./elicitation.js";
import { permissionsQuestion } from "./permissions.js";
import type { Question } from "./question.js";
import { toolCallQuestion } from "./tool-call.js";
import { userInputQuestion } from "./user-input.js";

export type { Question } from "./question.js";

/** The question that an event asks; nothing for other events. */
export function toQuestion(event: Event, teller: Teller): Question | undefined {
  switch (event.msg.type) {
    case "exec_approval_request":
      return commandQuestion(event as EventOf<"exec_approval_request">, teller);
    case "apply_patch_approval_request":
      return patchQuestion(event as EventOf<"apply_patch_approval_request">, teller);
    case "request_user_input":
      return userInputQuestion(event as EventOf<"request_user_input">, teller);
    case "request_permissions":
      return permissionsQuestion(event as EventOf<"request_permissions">, teller);
    case "elicitation_request":
      return elicitationQuestion(event as EventOf<"elicitation_request">, teller);
    case "dynamic_tool_call_request":
      return toolCallQuestion(event as EventOf<"dynamic_tool_call_request">, teller);
    default:
      return undefined;
  }
}
