import { readFileHead } from "../../lib/read-file-head.js";
import type { ResponseItem, SkillMetadata } from "../../protocol/types.js";

/** The messages that put skills into a conversation. */
export interface SkillMessages {
  items: ResponseItem[];
  /** Sentences for the user about skills that could not be read. */
  warnings: string[];
}

/** Reads the files of the chosen skills, as they are now, into messages for the model. */
export function readSkillMessages(skills: readonly SkillMetadata[]): SkillMessages {
  const messages: SkillMessages = { items: [], warnings: [] };
  for (const { name, path } of skills) {
    const head = readFileHead(path, maxSkillBytes);
    if (head.problem !== undefined) {
      messages.warnings.push(`Failed to load skill ${name} at ${path}: ${head.problem}`);
      continue;
    }
    if (!head.whole) {
      messages.warnings.push(`Skill ${name} at ${path} is cut after ${maxSkillBytes} bytes`);
    }
    const text = skillText({ name, path, body: head.bytes.toString() });
    messages.items.push({
      type: "message",
      role: "user",
      content: [{ type: "input_text", text }],
    });
  }
  return messages;
}

/** A skill as the model sees it; history and lists know such messages by their first tag. */
function skillText({ name, path, body }: { name: string; path: string; body: string }): string {
  return `<skill>\n<name>${name}</name>\n<path>${path}</path>\n${body}\n</skill>`;
}

const maxSkillBytes = 512 * 1024;
