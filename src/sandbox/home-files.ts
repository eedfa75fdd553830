import { join } from "node:path";
import { entryAt, isWithin, realPathOf } from "./paths.js";
import type { Root } from "./writable-roots.js";

/** Entries of a home from which programs start other programs, or that say who may come in. */
const startupNames = [
  ".bash_aliases",
  ".bash_login",
  ".bash_logout",
  ".bash_profile",
  ".bashrc",
  ".config/autostart",
  ".config/environment.d",
  ".config/fish",
  ".config/git",
  ".config/nvim",
  ".config/systemd",
  ".cshrc",
  ".emacs",
  ".emacs.d",
  ".exrc",
  ".gdbinit",
  ".gitconfig",
  ".gnupg",
  ".inputrc",
  ".kshrc",
  ".local/share/applications",
  ".local/share/systemd",
  ".login",
  ".netrc",
  ".npmrc",
  ".pam_environment",
  ".profile",
  ".screenrc",
  ".ssh",
  ".tcshrc",
  ".tmux.conf",
  ".vim",
  ".vimrc",
  ".xinitrc",
  ".xprofile",
  ".xsession",
  ".xsessionrc",
  ".zlogin",
  ".zlogout",
  ".zprofile",
  ".zshenv",
  ".zshrc",
  "Library/LaunchAgents",
];

/** What of the user's home stays read-only, though the home itself is in a writable root. */
export interface HomeProtection {
  /** Start-up files that exist. One that does not exist cannot be kept from being made. */
  readOnly: string[];
  warnings: string[];
}

/** Looks for the user's home in the writable roots, and for what runs code in it. */
export function protectHome(userHome: string | undefined, roots: readonly Root[]): HomeProtection {
  const home = userHome === undefined ? undefined : realPathOf(userHome);
  const around = home === undefined ? [] : roots.filter(({ path }) => isWithin(home, path));
  if (home === undefined || around.length === 0) return { readOnly: [], warnings: [] };
  const paths = startupNames.map((name) => join(home, name));
  const readOnly = paths.filter((path) => isReal(path));
  // A home in a temporary directory is a throw-away one, and starting elsewhere would not help.
  const isTemporary = around.every(({ origin }) => origin === "slash-tmp" || origin === "tmpdir");
  if (isTemporary) return { readOnly, warnings: [] };
  const warning = `${home} is your home directory: commands can write to it, except for ${startupNames.length} start-up files and folders such as .bashrc and .ssh, as far as they exist. Start in the folder of a project instead.`;
  return { readOnly, warnings: [warning] };
}

/** A link is left alone: whoever can write the directory can turn it. */
function isReal(path: string): boolean {
  const entry = entryAt(path);
  return entry !== undefined && !entry.isSymbolicLink();
}
