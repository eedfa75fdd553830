import type {
  CreateElicitationRequest,
  CreateElicitationResponse,
  ElicitationSchema,
  PermissionOption,
} from "@agentclientprotocol/sdk";
import type { UserInputResponse } from "../../protocol/approval.js";
import { isRecord } from "../../protocol/read/check.js";
import type {
  McpServerElicitationRequestParams,
  McpServerElicitationRequestResponse,
  ToolRequestUserInputParams,
  ToolRequestUserInputQuestion,
} from "../../protocol/rpc/v2/requests.js";
import type { AskPermission } from "./permissions.js";
import { textContent } from "./tool-calls.js";

/** Shows the user a form; undefined if the editor has none. */
export type AskForm = (
  form: Pick<CreateElicitationRequest & { mode: "form" }, "message"> & {
    requestedSchema: ElicitationSchema;
    toolCallId?: string;
  },
) => Promise<CreateElicitationResponse>;

/** Ways to ask the user. */
export interface Ways {
  permission: AskPermission;
  form: AskForm | undefined;
}

/**
 * Asks the questions of the model: in a form, or else each with options as a permission request.
 *
 * A question without options needs a form. Secrets are never asked for: editors may log messages.
 */
export async function askUserInput(
  { itemId, questions }: ToolRequestUserInputParams,
  { permission, form }: Ways,
): Promise<UserInputResponse> {
  const open = questions.filter(({ isSecret }) => !isSecret);
  if (form !== undefined && open.length > 0) return askInForm(open, itemId, form);
  const answers: UserInputResponse["answers"] = {};
  for (const [index, question] of open.entries()) {
    const { options } = question;
    if (options === null || options.length === 0) continue;
    const chosen = await permission(
      {
        toolCallId: `${itemId}-${index}`,
        title: question.header || "Question",
        kind: "other",
        status: "pending",
        content: [textContent(questionText(question))],
      },
      [...options.map(toOption), skip],
    );
    if (chosen === undefined) break;
    const answer = options[Number(chosen)];
    if (answer !== undefined) answers[question.id] = { answers: [answer.label] };
  }
  return { answers };
}

function toOption({ label }: { label: string }, index: number): PermissionOption {
  return { optionId: String(index), name: label, kind: "allow_once" };
}

const skip: PermissionOption = { optionId: "skip", name: "Skip", kind: "reject_once" };

function questionText({ question, options }: ToolRequestUserInputQuestion): string {
  const lines = (options ?? []).map(({ label, description }) => `- **${label}**: ${description}`);
  return [question, "", ...lines].join("\n");
}

async function askInForm(
  questions: readonly ToolRequestUserInputQuestion[],
  toolCallId: string,
  form: AskForm,
): Promise<UserInputResponse> {
  const properties: NonNullable<ElicitationSchema["properties"]> = {};
  for (const { id, header, question, options, isOther } of questions) {
    const title = header || question;
    const choices = (options ?? []).map(({ label, description }) => ({
      const: label,
      title: label,
      description,
    }));
    const field = { type: "string" as const, title, description: question };
    properties[id] = choices.length === 0 ? field : { ...field, oneOf: choices };
    if (choices.length > 0 && isOther) {
      properties[otherField(id)] = { type: "string", title: `${title}: other answer` };
    }
  }
  const message = questions.map(({ question }) => question).join("\n");
  const reply = await form({
    message,
    toolCallId,
    requestedSchema: { type: "object", properties },
  });
  const content = reply.action === "accept" && isRecord(reply.content) ? reply.content : {};
  const answers: UserInputResponse["answers"] = {};
  for (const { id } of questions) {
    const texts = [content[otherField(id)], content[id]].filter(
      (text): text is string => typeof text === "string" && text !== "",
    );
    if (texts[0] !== undefined) answers[id] = { answers: [texts[0]] };
  }
  return { answers };
}

function otherField(id: string): string {
  return `${id}_other`;
}

/** Passes the question of an MCP server on; without forms, only one without fields can be accepted. */
export async function askElicitation(
  { serverName, message, requestedSchema, url, mode }: McpServerElicitationRequestParams,
  { permission, form }: Ways,
): Promise<McpServerElicitationRequestResponse> {
  const schema = (isRecord(requestedSchema) ? requestedSchema : {}) as ElicitationSchema;
  const text = `${serverName}: ${message}${url === undefined ? "" : `\n${url}`}`;
  if (form !== undefined && mode === "form") {
    const { action, content } = (await form({
      message: text,
      requestedSchema: { ...schema, type: "object" },
    })) as { action: string; content?: unknown };
    if (action === "accept") return { action, content: content ?? {}, _meta: null };
    return { action: action === "cancel" ? "cancel" : "decline", content: null, _meta: null };
  }
  if ((schema.required ?? []).length > 0) return { action: "decline", content: null, _meta: null };
  const chosen = await permission(
    {
      toolCallId: `elicitation-${serverName}`,
      title: `Question from ${serverName}`,
      kind: "other",
      status: "pending",
      content: [textContent(text)],
    },
    [
      { optionId: "accept", name: "Accept", kind: "allow_once" },
      { optionId: "decline", name: "Decline", kind: "reject_once" },
    ],
  );
  if (chosen === "accept") return { action: "accept", content: {}, _meta: null };
  return { action: chosen === undefined ? "cancel" : "decline", content: null, _meta: null };
}
