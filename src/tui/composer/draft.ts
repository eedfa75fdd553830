import type { UserInput } from "../wire.js";

/** A message before it is sent. */
export interface Draft {
  text: string;
  /** Pictures that go with it, as the server can read them. */
  images: readonly UserInput[];
  /** Skills that are named in it. */
  skills: readonly UserInput[];
}

/** A message of text alone. */
export function textDraft(text: string): Draft {
  return { text, images: [], skills: [] };
}

/** A message as the protocol has it: pictures first, so that the text can speak of them. */
export function toInput({ text, images, skills }: Draft): UserInput[] {
  const words: UserInput[] = text.trim() === "" ? [] : [{ type: "text", text, text_elements: [] }];
  return [...images, ...words, ...skills];
}
