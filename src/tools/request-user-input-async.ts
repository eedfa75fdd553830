import type { AgentMessageTurnItem } from "../protocol/types.js";
import { defineTool, standaloneTool } from "./define-tool.js";
import { parameters } from "./parameters.js";
import { failed, ok } from "./tool.js";

/** Shows the user questions without waiting: the answers are a later message of the user. */
export const requestUserInputAsync = standaloneTool({
  since: "0.166",
  offeredIn: ({ family, isReview }, { asyncQuestions }) =>
    asyncQuestions && family.asyncQuestions === true && isReview !== true,
  tool: defineTool({
    name: "request_user_input_async",
    description:
      "Shows the user questions and returns at once, so that you can continue with what does not depend on " +
      "them. The answers arrive as a message of the user, if the user answers.",
    input: parameters(
      {
        questions: {
          type: "array",
          description: "At least one question.",
          items: parameters(
            {
              options: {
                type: "array",
                description: "Answers to choose from; the user can always give another one.",
                items: { type: "string" },
                minItems: 1,
              },
              title: { type: "string", description: "The question, in one sentence." },
            },
            ["title"],
          ),
          minItems: 1,
        },
      },
      ["questions"],
    ),
    isReadOnly: () => true,
    async run({ questions }, { callId, emit, emitItem }) {
      const problem = problemOf(questions);
      if (problem !== undefined) return failed(problem);
      const text = questions.map(textOf).join("\n\n");
      const facts: Facts = {
        phase: "final_answer",
        delivery: "async",
        questions: questions.map(({ title, options = null }) => ({ title, options })),
      };
      const content = [{ type: "Text" as const, text }];
      const item = { type: "AgentMessage" as const, id: callId, content, ...facts };
      emitItem?.("item_started", item);
      emitItem?.("item_completed", item);
      emit({ type: "agent_message", message: text, ...facts });
      return ok('{"accepted":true}');
    },
  }),
});

type Facts = Pick<AgentMessageTurnItem, "phase" | "delivery" | "questions">;

interface Question {
  title: string;
  options?: string[];
}

function problemOf(questions: readonly Question[]): string | undefined {
  if (questions.length === 0) return "questions must not be empty";
  if (questions.some(({ title }) => title.trim() === "")) {
    return "question titles must not be empty";
  }
  const isUseless = ({ options }: Question) =>
    options?.every((option) => option.trim() === "") === true;
  return questions.some(isUseless)
    ? "options must contain at least one non-empty answer"
    : undefined;
}

function textOf({ title, options = [] }: Question): string {
  return [title, ...options.map((option) => `- ${option}`)].join("\n");
}
