import { readSkillMessages, selectSkills } from "../project/index.js";
import type { InputItem } from "../protocol/types.js";
import type { Task } from "./task.js";

/** Puts the skills that the user asked for into the conversation, behind the message that did. */
export async function addSkills(task: Task, items: readonly InputItem[]): Promise<void> {
  if (!items.some(mayName)) return;
  const { session } = task;
  const { skills } = await session.parts.skills.forCwd(session.context.cwd);
  const selected = selectSkills({ items: items.map(asSkill), skills });
  const messages = readSkillMessages(selected.skills);
  task.record(messages.items);
  for (const message of [...selected.warnings, ...messages.warnings]) {
    task.emit({ type: "warning", message });
  }
}

/** Whether a mention is of a skill: newer clients select skills in this way too. */
export function isSkillMention({ type, ...item }: InputItem): boolean {
  return type === "mention" && "path" in item && /(?:^skill:\/\/|[/\\]SKILL\.md$)/.test(item.path);
}

function asSkill(item: InputItem): InputItem {
  if (item.type !== "mention" || !isSkillMention(item)) return item;
  return { type: "skill", name: item.name, path: item.path.replace(/^skill:\/\//, "") };
}

/** Looking for skills reads folders; input that names none is not made to wait for that. */
function mayName(item: InputItem): boolean {
  return (
    item.type === "skill" ||
    isSkillMention(item) ||
    (item.type === "text" && item.text.includes("$"))
  );
}
