import { agents } from "./agents.js";
import { approve } from "./approve.js";
import { ps, stop } from "./background.js";
import type { SlashCommand } from "./command.js";
import { config } from "./config.js";
import { cost } from "./cost.js";
import { diff } from "./diff.js";
import { raw, warnings } from "./display.js";
import { elsewhere } from "./elsewhere.js";
import { experimental } from "./experimental.js";
import { copy, exportThread } from "./export.js";
import { cd, pwd } from "./folder.js";
import { goal } from "./goal.js";
import { hooks } from "./hooks.js";
import { importSettings } from "./import.js";
import { keymap } from "./keymap.js";
import { prompts, skills } from "./lists.js";
import { mcp } from "./mcp.js";
import { memories } from "./memories.js";
import { model } from "./model.js";
import { permissions } from "./permissions.js";
import { implement, plan } from "./plan.js";
import { help, logout, quit } from "./program.js";
import { recap } from "./recap.js";
import { review } from "./review.js";
import { rewind, tree } from "./rewind.js";
import { side } from "./side.js";
import { status } from "./status.js";
import { statusline, title } from "./status-items.js";
import { theme } from "./theme.js";
import { archive, deleteThread, fork, newThread, rename, resume } from "./threads.js";
import { vim } from "./vim.js";
import { compact, init, mention } from "./work.js";
import { worktree } from "./worktree.js";

/** All slash commands, in menu order. */
export const slashCommands: readonly SlashCommand[] = [
  model,
  permissions,
  approve,
  review,
  newThread,
  resume,
  fork,
  worktree,
  rewind,
  tree,
  init,
  compact,
  recap,
  plan,
  implement,
  side,
  goal,
  diff,
  mention,
  status,
  config,
  experimental,
  cd,
  pwd,
  warnings,
  ps,
  stop,
  agents,
  cost,
  mcp,
  hooks,
  memories,
  skills,
  prompts,
  copy,
  exportThread,
  importSettings,
  raw,
  rename,
  archive,
  deleteThread,
  theme,
  statusline,
  title,
  keymap,
  vim,
  help,
  logout,
  quit,
];

/** Finds a command by name or alias. */
export function findSlashCommand(name: string): SlashCommand | undefined {
  return [...slashCommands, ...elsewhere].find(
    (each) => each.name === name || each.aliases?.includes(name),
  );
}
