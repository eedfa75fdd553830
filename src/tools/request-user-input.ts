import type {
  AgentMessageTurnItem,
  UserInputQuestion,
  UserInputResponse,
} from "../protocol/types.js";
import { defineTool, standaloneTool } from "./define-tool.js";
import { parameters } from "./parameters.js";
import { failed, ok, type Tool, type ToolContext } from "./tool.js";

const option = parameters(
  {
    description: { type: "string", description: "What choosing it means, in one sentence." },
    label: { type: "string", description: "The choice in one to five words." },
  },
  ["label", "description"],
);

const question = parameters(
  {
    header: { type: "string", description: "A title of at most twelve characters." },
    id: { type: "string", description: "The key of the answer, in snake_case." },
    options: {
      type: "array",
      items: option,
      description:
        "Two or three choices that exclude each other, the best one first. The user can always " +
        "give another answer; do not add a choice for that.",
    },
    question: { type: "string", description: "The question, in one sentence." },
  },
  ["id", "header", "question", "options"],
);

const input = parameters(
  {
    questions: { type: "array", items: question, description: "One to three questions." },
  },
  ["questions"],
);

/** Asks the user one to three questions and waits for the answers. */
export function requestUserInput({ inEveryMode }: { inEveryMode: boolean }): Tool {
  return defineTool({
    name: "request_user_input",
    description: "Asks the user one to three short questions and waits for the answers.",
    input,
    async run({ questions }, { callId, turn, askUserInput, emitItem }) {
      if (!inEveryMode && turn.collaboration_mode?.mode !== "plan") {
        return failed("request_user_input is unavailable in Default mode");
      }
      if (questions.length === 0 || questions.some(({ options }) => options.length === 0)) {
        return failed("request_user_input requires non-empty options for every question");
      }
      const asked = questions.map((one) => ({ ...one, isOther: true, isSecret: false }));
      const response = await askUserInput(asked);
      emitAnswered(asked, response, callId, emitItem);
      return ok(JSON.stringify(response));
    },
  });
}

/** Emits the questions with their answers, which clients show from then on. */
function emitAnswered(
  asked: readonly UserInputQuestion[],
  { answers }: UserInputResponse,
  id: string,
  emitItem: ToolContext["emitItem"],
): void {
  const questions = asked.map(({ id, header, question, isSecret }) => {
    const given = answers[id]?.answers ?? [];
    return { header, question, answers: isSecret ? given.map(() => "(hidden)") : given };
  });
  const item = { type: "AnsweredQuestions" as const, id, questions };
  emitItem?.("item_started", item);
  emitItem?.("item_completed", item);
}

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
