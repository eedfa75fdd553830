import type { ServerQuestion } from "../../client/index.js";
import type { UserInputResponse } from "../../protocol/approval.js";
import type {
  McpServerElicitationRequestParams,
  McpServerElicitationRequestResponse,
  ToolRequestUserInputParams,
  ToolRequestUserInputQuestion,
} from "../../protocol/rpc/v2/requests.js";
import type { Ui } from "../ui.js";
import type { QuestionParts } from "./question-parts.js";

/** Asks each question in turn; a skipped question gets no answer. */
export async function askUserInput(
  { questions }: ToolRequestUserInputParams,
  { signal }: ServerQuestion,
  parts: QuestionParts,
): Promise<UserInputResponse> {
  const answers: Record<string, { answers: string[] }> = {};
  for (const question of questions) {
    const answer = await askOne(question, signal, parts);
    if (answer !== undefined) answers[question.id] = { answers: [answer] };
  }
  return { answers };
}

async function askOne(
  { header, question, options, isOther, isSecret }: ToolRequestUserInputQuestion,
  signal: AbortSignal,
  { ui }: QuestionParts,
): Promise<string | undefined> {
  const title = header || "Question from the agent";
  if (options && options.length > 0) {
    const choices = options.map(({ label, description }) => ({ value: label, label, description }));
    const other = isOther === false ? [] : [{ value: "", label: "Other answer" }];
    const chosen = await ui.pick(
      { title, text: question, choices: [...choices, ...other] },
      signal,
    );
    if (chosen !== "") return chosen;
  }
  return ui.question({ title, text: question, ...(isSecret ? { isSecret } : {}) }, signal);
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
