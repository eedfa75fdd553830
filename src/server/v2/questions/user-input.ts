import { isRecord } from "../../../protocol/read/record.js";
import type { UserInputResponse } from "../../../protocol/types.js";
import { toEraFields } from "../era-fields.js";
import { turnOf } from "../from-event/place.js";
import type { Teller } from "../from-event/teller.js";
import type { EventOf } from "../from-event/translators.js";
import type { Question } from "./question.js";

/** Asks the user what the model wants to know. */
export function userInputQuestion(event: EventOf<"request_user_input">, teller: Teller): Question {
  const { call_id: itemId, questions } = event.msg;
  const params = {
    threadId: teller.threadId,
    turnId: turnOf(event, teller),
    itemId,
    questions: questions.map(({ isOther = false, isSecret = false, options = null, ...rest }) => ({
      ...rest,
      isOther,
      isSecret,
      options,
    })),
    isBlocking: true,
    autoResolutionMs: null,
  };
  const toOp = (response: UserInputResponse) => ({
    type: "user_input_answer" as const,
    id: itemId,
    response,
  });
  return {
    key: itemId,
    event,
    method: "item/tool/requestUserInput",
    params: toEraFields(params, teller.era.lacks.ToolRequestUserInputParams),
    toOp: (answer) => toOp(readAnswers(answer)),
    refusal: toOp({ answers: {} }),
    needsAbility: true,
  };
}

/** Whatever of an answer can be read; the model is told that there was none of the rest. */
function readAnswers(answer: unknown): UserInputResponse {
  const given = isRecord(answer) && isRecord(answer.answers) ? answer.answers : {};
  const answers: UserInputResponse["answers"] = {};
  for (const [id, one] of Object.entries(given)) {
    const list = isRecord(one) ? one.answers : one;
    const texts = Array.isArray(list) ? list : [list];
    answers[id] = { answers: texts.filter((text) => typeof text === "string") };
  }
  return { answers };
}
