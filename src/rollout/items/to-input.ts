import type { InputItem, UserMessageEvent } from "../../protocol/types.js";

/** What the user sent, as far as the event about it tells. */
export function toInput(msg: UserMessageEvent): InputItem[] {
  const { message, images, local_images, text_elements, mentions } = msg;
  const input: InputItem[] = [];
  if (message.trim() !== "") {
    input.push({ type: "text", text: message, text_elements: text_elements ?? [] });
  }
  for (const url of images ?? []) input.push({ type: "image", image_url: url });
  for (const path of local_images ?? []) input.push({ type: "local_image", path });
  return [...input, ...(mentions ?? [])];
}
