import { isObject, type Json, type Trace } from "../trace/trace.js";

/** Returns what the user of a trace said, in order, whatever the protocol. */
export function promptsOf({ client, meta }: Trace): string[] {
  const said = client.flatMap(({ msg }) => textsOf(msg));
  if (said.length > 0) return said;
  const prompt = meta.stdin ?? meta.command.at(-1) ?? "";
  return [prompt.startsWith("-") || prompt.trim() === "" ? "Go on" : prompt];
}

/** Fields and methods that carry input of the user. */
const inputOps = new Set(["user_input", "user_turn"]);
const inputMethods = new Set(["sendUserMessage", "sendUserTurn", "turn/start", "turn/steer"]);

function textsOf(msg: Json): string[] {
  if (!isObject(msg)) return [];
  const { op, method, params } = msg;
  if (isObject(op) && inputOps.has(String(op.type))) return joined(op.items);
  if (!isObject(params)) return [];
  if (inputMethods.has(String(method))) return joined(params.items ?? params.input ?? null);
  const given = isObject(params.arguments) ? params.arguments.prompt : undefined;
  return typeof given === "string" ? [given] : [];
}

function joined(items: Json | undefined): string[] {
  const parts = Array.isArray(items) ? items : [];
  const texts = parts.flatMap((part) => {
    const text = isObject(part)
      ? (part.text ?? (isObject(part.data) ? part.data.text : undefined))
      : part;
    return typeof text === "string" ? [text] : [];
  });
  return texts.length === 0 ? [] : [texts.join("\n")];
}
