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

/** The pictures of a message, each standing in its text as a word that can be deleted again. */
export class Attachments {
  readonly #images = new Map<string, UserInput>();
  #count = 0;

  /** Takes a picture; returns the word that stands for it. */
  add(image: UserInput): string {
    this.#count += 1;
    const word = `[Image #${this.#count}]`;
    this.#images.set(word, image);
    return word;
  }

  /** The pictures whose words are still in the text, in the order of the text. */
  in(text: string): UserInput[] {
    return [...this.#images]
      .map(([word, image]) => ({ at: text.indexOf(word), image }))
      .filter(({ at }) => at !== -1)
      .sort((a, b) => a.at - b.at)
      .map(({ image }) => image);
  }

  clear(): void {
    this.#images.clear();
    this.#count = 0;
  }
}

/** The file of a picture that was dropped on the terminal: its path, as terminals paste it. */
export function droppedImage(pasted: string): string | undefined {
  const text = pasted.trim();
  if (text.includes("\n") || !/\.(?:png|jpe?g|gif|webp)['"]?$/i.test(text)) return undefined;
  const path = text.replace(/^file:\/\//, "").replace(/^(['"])(.*)\1$/, "$2");
  return path === text ? path.replaceAll("\\ ", " ") : decoded(path);
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
