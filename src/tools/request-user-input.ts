import { defineTool } from "./define-tool.js";
import { parameters } from "./parameters.js";
import { failed, ok, type Tool } from "./tool.js";

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

/** Asks the user one to three questions and waits for the answers. */
export function requestUserInput({ inEveryMode }: { inEveryMode: boolean }): Tool {
  return defineTool({
    name: "request_user_input",
    description: "Asks the user one to three short questions and waits for the answers.",
    input: parameters(
      {
        questions: { type: "array", items: question, description: "One to three questions." },
      },
      ["questions"],
    ),
    async run({ questions }, { turn, askUserInput }) {
      if (!inEveryMode && turn.collaboration_mode?.mode !== "plan") {
        return failed("request_user_input is unavailable in Default mode");
      }
      if (questions.length === 0 || questions.some(({ options }) => options.length === 0)) {
        return failed("request_user_input requires non-empty options for every question");
      }
      const asked = questions.map((one) => ({ ...one, isOther: true, isSecret: false }));
      return ok(JSON.stringify(await askUserInput(asked)));
    },
  });
}
