import { agents } from "./agents.js";
import { approve } from "./approve.js";
import { ps, stop } from "./background.js";
import type { SlashCommand } from "./command.js";
import { cost } from "./cost.js";
import { diff } from "./diff.js";
import { copy, exportThread } from "./export.js";
import { hooks } from "./hooks.js";
import { mcp, prompts, skills } from "./lists.js";
import { model } from "./model.js";
import { permissions } from "./permissions.js";
import { help, logout, quit, theme } from "./program.js";
import { status } from "./status.js";
import { archive, fork, newThread, rename, resume } from "./threads.js";
import { compact, init, mention, plan, review } from "./work.js";

/** All slash commands, in menu order. */
export const slashCommands: readonly SlashCommand[] = [
  model,
  permissions,
  approve,
  review,
  newThread,
  resume,
  fork,
  init,
  compact,
  plan,
  diff,
  mention,
  status,
  ps,
  stop,
  agents,
  cost,
  mcp,
  hooks,
  skills,
  prompts,
  copy,
  exportThread,
  rename,
  archive,
  theme,
  help,
  logout,
  quit,
];

/** Finds a command by name or alias. */
export function findSlashCommand(name: string): SlashCommand | undefined {
  return slashCommands.find((each) => each.name === name || each.aliases?.includes(name));
}
