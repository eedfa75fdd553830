import type { UserInput } from "../wire.js";

/** A message that is not sent yet. */
export interface Draft {
  text: string;
  /** Attached images, in wire format. */
  images: readonly UserInput[];
  /** Skills that the text mentions. */
  skills: readonly UserInput[];
}

/** Creates a draft without attachments. */
export function textDraft(text: string): Draft {
  return { text, images: [], skills: [] };
}

/**
 * Converts a draft to the input of a turn; images come first, so that the text can refer to them.
 */
export function toInput({ text, images, skills }: Draft): UserInput[] {
  const words: UserInput[] = text.trim() === "" ? [] : [{ type: "text", text, text_elements: [] }];
  return [...images, ...words, ...skills];
}

/** The images of a message, each with a placeholder in its text. */
export class Attachments {
  readonly #images = new Map<string, UserInput>();
  #count = 0;

  /** Adds an image; returns its placeholder. */
  add(image: UserInput): string {
    this.#count += 1;
    const word = `[Image #${this.#count}]`;
    this.#images.set(word, image);
    return word;
  }

  /** Returns the images whose placeholder is still in the text, in text order. */
  in(text: string): UserInput[] {
    return [...this.#images]
      .map(([word, image]) => ({ at: text.indexOf(word), image }))
      .filter(({ at }) => at !== -1)
      .sort((a, b) => a.at - b.at)
      .map(({ image }) => image);
  }

  /** All placeholders. */
  get words(): string[] {
    return [...this.#images.keys()];
  }

  clear(): void {
    this.#images.clear();
    this.#count = 0;
  }
}

/** Returns the path of an image file that was dropped on the terminal, if the paste is one. */
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
