import type { RecordedRequest } from "../../src/model/scripted/index.js";
import type { Facts } from "./facts.js";

/** The body of a request, as far as expectations look into it. */
export interface RequestBody {
  instructions?: string;
  input?: InputEntry[];
  tools?: { type: string; name?: string }[];
  [key: string]: unknown;
}

/** An entry of a request's input. */
export interface InputEntry {
  type: string;
  id?: string;
  role?: string;
  content?: { type: string; text?: string }[] | string;
  output?: unknown;
  [key: string]: unknown;
}

/** The body of a request to a model. */
export function bodyOf({ body }: RecordedRequest): RequestBody {
  return typeof body === "object" && body !== null ? (body as RequestBody) : {};
}

/** Text of a message or of a tool's output; empty for other entries. */
export function textOf({ content, output }: InputEntry): string {
  if (typeof output === "string") return output;
  if (typeof content === "string") return content;
  return (content ?? []).map((part) => part.text ?? "").join("");
}

/** Facts about one request that expectations can use. */
export function requestFacts(request: RecordedRequest): Facts {
  const body = bodyOf(request);
  const { input = [], tools = [] } = body;
  const texts = input.map(textOf);
  const textsBy = (role: string) => input.filter((item) => item.role === role).map(textOf);
  return {
    ...body,
    path: request.url,
    body_keys: Object.keys(body),
    tool_names: tools.map(({ name, type }) => name ?? type),
    input_len: input.length,
    input_types: input.map(({ type }) => type),
    input_ids: input.flatMap(({ id }) => (id === undefined ? [] : [id])),
    input_texts: texts,
    texts,
    first_input_text: texts[0],
    last_input_text: texts.at(-1),
    roles: input.flatMap(({ role }) => role ?? []),
    user_messages: textsBy("user"),
    assistant_messages: textsBy("assistant"),
  };
}
