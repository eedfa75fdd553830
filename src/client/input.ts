import type { UserInput as WireInput } from "../protocol/rpc/v2/user-input.js";

/** A part of what is said. */
export type UserInput =
  | { type: "text"; text: string }
  /** A picture in a file. */
  | { type: "local_image"; path: string }
  /** A picture by its address; a `data:` URL holds it. */
  | { type: "image"; url: string };

/** What is said in a turn. */
export type Input = string | UserInput[];

/** What is said, as `turn/start` takes it. */
export function toUserInput(input: Input): WireInput[] {
  const parts: UserInput[] = typeof input === "string" ? [{ type: "text", text: input }] : input;
  return parts.map(toWirePart);
}

function toWirePart(part: UserInput): WireInput {
  switch (part.type) {
    case "text":
      return { type: "text", text: part.text, text_elements: [] };
    case "local_image":
      return { type: "localImage", path: part.path };
    case "image":
      return { type: "image", url: part.url };
  }
}
