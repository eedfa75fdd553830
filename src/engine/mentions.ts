import { readSkillMessages, type Skill, selectSkills } from "../project/index.js";
import type { InputItem } from "../protocol/types.js";
import type { ReadGuard } from "../sandbox/index.js";
import { permitted } from "./instructions.js";
import { developerMessage } from "./messages.js";
import type { Task } from "./task.js";

/**
 * Adds the things the user mentioned as a developer message after the user's; the reference ignores
 * all but skills.
 *
 * Apps and plugins exist only in the reference's cloud; mentioning one causes a warning.
 */
export function addMentions(task: Task, items: readonly InputItem[]): void {
  if (!task.session.parts.era.since.current) return;
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

/** Puts the skills that the user asked for into the conversation, behind the message that did. */
export async function addSkills(
  task: Task,
  items: readonly InputItem[],
  guardOf: (task: Task) => Promise<ReadGuard | undefined>,
): Promise<void> {
  const asked = items.map(asSkill);
  const selected = selectSkills({ items: asked, skills: await skillsFor(task, asked) });
  const guard = await guardOf(task);
  const messages = readSkillMessages(selected.skills, permitted(guard));
  task.record(messages.items);
  for (const message of [...selected.warnings, ...messages.warnings]) {
    task.emit({ type: "warning", message });
  }
}

/** The skills that are offered, and those of other folders that an item names by their file. */
async function skillsFor({ session }: Task, items: readonly InputItem[]): Promise<Skill[]> {
  const { cwd } = session.context;
  const catalogue = session.parts.skills;
  const { skills: offered } = await catalogue.forCwd(cwd);
  const skills = [...offered];
  for (const item of items) {
    if (item.type !== "skill" || skills.some(({ path }) => path === item.path)) continue;
    const chosen = await catalogue.chosen(cwd, item.path);
    if (chosen !== undefined) skills.push(chosen);
  }
  return skills;
}

/** Returns true if a mention is of a skill: newer clients select skills in this way too. */
function isSkillMention({ type, ...item }: InputItem): boolean {
  return type === "mention" && "path" in item && /(?:^skill:\/\/|[/\\]SKILL\.md$)/.test(item.path);
}

function asSkill(item: InputItem): InputItem {
  if (item.type !== "mention" || !isSkillMention(item)) return item;
  return { type: "skill", name: item.name, path: item.path.replace(/^skill:\/\//, "") };
}
