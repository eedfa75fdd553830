import { writeFile } from "node:fs/promises";
import type { ServerNotification } from "../../client/index.js";

/** What a turn was for: the last message of the model, the outcome of a review, or a plan. */
export class LastMessage {
  #message: string | undefined;
  #plan: string | undefined;

  get text(): string | undefined {
    return this.#message ?? this.#plan;
  }

  hear(notification: ServerNotification): void {
    if (notification.method !== "item/completed") return;
    const { item } = notification.params;
    if (item.type === "agentMessage") this.#message = item.text;
    if (item.type === "exitedReviewMode") this.#message = item.review;
    if (item.type === "plan") this.#plan = item.text;
  }
}

/** Writes the last message where the user wants it; says so when there is none. */
export async function writeLastMessage(
  file: string,
  text: string | undefined,
  warn: (message: string) => void,
): Promise<void> {
  await writeFile(file, text ?? "");
  if (text === undefined) warn(`no last agent message; wrote empty content to ${file}`);
}
