import type { UserMessageItem } from "../../../protocol/rpc/v2/item.js";
import type { UserInput } from "../../../protocol/rpc/v2/user-input.js";
import type { InputItem } from "../../../protocol/types.js";

/** A message of the user as an item. */
export function toUserMessageItem(
  id: string,
  content: readonly InputItem[],
  clientId: string | null = null,
): UserMessageItem {
  return { type: "userMessage", id, clientId, content: content.map(toUserInput) };
}

/** A part of what the user said, as v2 writes it. */
function toUserInput(item: InputItem): UserInput {
  switch (item.type) {
    case "text":
      return {
        type: "text",
        text: item.text,
        text_elements: (item.text_elements ?? []).map(({ byte_range, placeholder }) => ({
          byteRange: byte_range,
          placeholder: placeholder ?? null,
        })),
      };
    case "image":
      return { type: "image", url: item.image_url };
    case "local_image":
      return { type: "localImage", path: item.path };
    case "skill":
    case "mention":
      return { type: item.type, name: item.name, path: item.path };
  }
}

/** A part of what the user says, as the engine takes it. */
export function toInputItem(input: UserInput): InputItem {
  switch (input.type) {
    case "text":
      return {
        type: "text",
        text: input.text,
        ...(input.text_elements === undefined || input.text_elements.length === 0
          ? {}
          : {
              text_elements: input.text_elements.map(({ byteRange, placeholder }) => ({
                byte_range: byteRange,
                ...(placeholder == null ? {} : { placeholder }),
              })),
            }),
      };
    case "image":
      return { type: "image", image_url: input.url };
    case "localImage":
      return { type: "local_image", path: input.path };
    case "skill":
    case "mention":
      return { type: input.type, name: input.name, path: input.path };
  }
}
