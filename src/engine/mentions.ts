import type { InputItem } from "../protocol/types.js";
import { developerMessage } from "./opening/messages.js";
import { isSkillMention } from "./skills.js";
import type { Task } from "./task.js";

/**
 * Tells the model what the user mentioned, behind the message that did.
 *
 * Apps and plugins live in the reference's cloud; a user who mentions one is warned.
 */
export function addMentions(task: Task, items: readonly InputItem[]): void {
  if (!task.session.parts.era.engine.tellsMentions) return;
  const mentions = items.flatMap((item) =>
    item.type === "mention" && !isSkillMention(item) ? [item] : [],
  );
  if (mentions.length === 0) return;
  const lines = mentions.map(({ name, path }) => `- ${name}: ${path}`);
  task.record([developerMessage(`The user's last message refers to:\n${lines.join("\n")}`)]);
  for (const { name, path } of mentions) {
    if (!isRemote(path)) continue;
    const message =
      `"${name}" (${path}) cannot be used here: Quire has no apps or plugins. The model is told ` +
      "only its name and address. For a service with an MCP server, add that to `mcp_servers`.";
    task.emit({ type: "warning", message });
  }
}

function isRemote(path: string): boolean {
  return /^(?:app|plugin):\/\//.test(path);
}
