import type { ServerQuestion } from "../../client/index.js";
import type { UserInputResponse } from "../../protocol/approval.js";
import type {
  McpServerElicitationRequestParams,
  McpServerElicitationRequestResponse,
  ToolRequestUserInputParams,
  ToolRequestUserInputQuestion,
} from "../../protocol/rpc/v2/requests.js";
import { notePrefix } from "../cells/answers.js";
import type { QuestionOfForm } from "../overlays/questionnaire.js";
import type { Ui } from "../ui.js";
import type { QuestionParts } from "./question-parts.js";

/** Asks all questions in one dialog; a skipped question gets no answer. */
export async function askUserInput(
  { questions }: ToolRequestUserInputParams,
  { signal }: ServerQuestion,
  { ui }: QuestionParts,
): Promise<UserInputResponse> {
  const given = await ui.questionnaire(questions.map(toFormQuestion), signal);
  const answers: Record<string, { answers: string[] }> = {};
  questions.forEach(({ id }, index) => {
    const { chosen, note = "" } = given?.[index] ?? {};
    const notes = note === "" ? [] : [`${notePrefix}${note}`];
    const all = chosen === undefined ? notes : [chosen, ...notes];
    if (all.length > 0) answers[id] = { answers: all };
  });
  return { answers };
}

function toFormQuestion(question: ToolRequestUserInputQuestion): QuestionOfForm {
  const { header, options, isOther, isSecret } = question;
  return {
    header,
    question: question.question,
    options: options ?? [],
    // Clients of older versions leave it out.
    hasOther: isOther !== false,
    isSecret: isSecret === true,
  };
}

interface FormSchema {
  properties?: Record<string, FieldSchema>;
  required?: string[];
}

interface FieldSchema {
  type?: string;
  title?: string;
  description?: string;
  enum?: string[];
  oneOf?: { const: string; title?: string }[];
  default?: unknown;
}

/** Answers an MCP elicitation: asks for each field of its form. */
export async function askElicitation(
  question: McpServerElicitationRequestParams,
  { signal }: ServerQuestion,
  { ui }: QuestionParts,
): Promise<McpServerElicitationRequestResponse> {
  const { serverName, message, url } = question;
  const { properties = {}, required = [] } = (question.requestedSchema ?? {}) as FormSchema;
  const text = url === undefined ? message : `${message}\n${url}`;
  const choices = [
    { value: "accept" as const, label: url === undefined ? "Answer" : "I have opened the link" },
    { value: "decline" as const, label: "Decline" },
  ];
  const action = await ui.pick({ title: `Question from ${serverName}`, text, choices }, signal);
  if (action === undefined) return answerOf("cancel");
  if (action === "decline") return answerOf("decline");
  const fields = Object.entries(properties);
  const content: Record<string, unknown> = {};
  for (const [name, field] of fields) {
    const value = await askField(name, field, ui, signal);
    if (value !== undefined) content[name] = value;
    else if (required.includes(name)) return answerOf("cancel");
  }
  return answerOf("accept", content);
}

function answerOf(action: "accept" | "decline" | "cancel", content: object | null = null) {
  return { action, content, _meta: null };
}

async function askField(
  name: string,
  field: FieldSchema,
  ui: Pick<Ui, "pick" | "question">,
  signal: AbortSignal,
): Promise<unknown> {
  const title = field.title ?? name;
  const text = field.description === undefined ? {} : { text: field.description };
  const values = field.oneOf?.map((each) => ({
    value: each.const,
    label: each.title ?? each.const,
  }));
  const choices = values ?? field.enum?.map((value) => ({ value, label: value }));
  if (choices !== undefined) return ui.pick({ title, ...text, choices }, signal);
  if (field.type === "boolean") {
    const answers = [
      { value: true, label: "Yes" },
      { value: false, label: "No" },
    ];
    return ui.pick({ title, ...text, choices: answers }, signal);
  }
  const initial = field.default === undefined ? {} : { initial: String(field.default) };
  const answer = await ui.question({ title, ...text, ...initial }, signal);
  if (answer === undefined) return undefined;
  return field.type === "number" || field.type === "integer" ? Number(answer) : answer;
}
