import { join } from "node:path";
import { isPlaceholderFile } from "../lib/placeholder-file.js";
import { entryAt, isWithin, realPathOf } from "./paths.js";
import { isEmptyDirectory, type Placeholder } from "./placeholders.js";
import type { Root } from "./writable-roots.js";

/** Folders of a home directory that start programs or control access. */
const folders = [
  ".config/autostart",
  ".config/environment.d",
  ".config/fish",
  ".config/git",
  ".config/nvim",
  ".config/systemd",
  ".emacs.d",
  ".gnupg",
  ".local/share/applications",
  ".local/share/systemd",
  ".ssh",
  ".vim",
  "Library/LaunchAgents",
];

/** Files of the same kind. */
const files = [
  ".bash_aliases",
  ".bash_login",
  ".bash_logout",
  ".bash_profile",
  ".bashrc",
  ".cshrc",
  ".emacs",
  ".exrc",
  ".gdbinit",
  ".gitconfig",
  ".inputrc",
  ".kshrc",
  ".login",
  ".netrc",
  ".npmrc",
  ".pam_environment",
  ".profile",
  ".screenrc",
  ".tcshrc",
  ".tmux.conf",
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
];

/** Content of placeholders that would otherwise keep a program from reading another file. */
const contents = new Map([
  [
    ".bash_profile",
    "if [ -s ~/.bash_login ]; then . ~/.bash_login; elif [ -r ~/.profile ]; then . ~/.profile; fi\n",
  ],
  [".inputrc", "$include /etc/inputrc\n"],
  [".tcshrc", "if ( -r ~/.cshrc ) source ~/.cshrc\n"],
  [
    ".vimrc",
    'if filereadable(expand("~/.vim/vimrc")) | source ~/.vim/vimrc | else | source $VIMRUNTIME/defaults.vim | endif\n',
  ],
]);

/** Placeholders of these would change the user's session or editor, and no content prevents that. */
const unheld = new Set([".emacs", ".emacs.d", ".xinitrc", ".xsession", "Library/LaunchAgents"]);

/** Entries of the user's home that stay read-only although the home is in a writable root. */
interface HomeProtection {
  /** Existing start-up files. */
  readOnly: string[];
  /** Missing ones, with what stands for them while a command runs; `undefined` if nothing can. */
  missing: Map<string, Placeholder | undefined>;
  warnings: string[];
}

/** Finds start-up files in the user's home, if the home is in a writable root. */
export function protectHome(userHome: string | undefined, roots: readonly Root[]): HomeProtection {
  const found: HomeProtection = { readOnly: [], missing: new Map(), warnings: [] };
  const home = userHome === undefined ? undefined : realPathOf(userHome);
  const around = home === undefined ? [] : roots.filter(({ path }) => isWithin(home, path));
  if (home === undefined || around.length === 0) return found;
  // A home in a temporary directory is disposable, and starting elsewhere would not help.
  const isTemporary = around.every(({ origin }) => origin === "slash-tmp" || origin === "tmpdir");
  for (const name of [...folders, ...files]) {
    const path = join(home, name);
    if (isReal(path)) found.readOnly.push(path);
    else if (!isTemporary && isMissing(path)) found.missing.set(path, placeholderFor(path, name));
  }
  if (isTemporary) return found;
  const count = folders.length + files.length;
  const warning = `${home} is your home directory: commands can write to it, except for ${count} start-up files and folders such as .bashrc and .ssh. Start in the folder of a project instead.`;
  return { ...found, warnings: [warning] };
}

function placeholderFor(path: string, name: string): Placeholder | undefined {
  if (unheld.has(name)) return undefined;
  if (folders.includes(name)) return { path, kind: "directory", isPrivate: true };
  return { path, kind: "file", content: contents.get(name) ?? "" };
}

/** A link is skipped: a command that can write the directory can replace it. */
function isReal(path: string): boolean {
  const entry = entryAt(path);
  return entry !== undefined && !entry.isSymbolicLink() && !isMissing(path);
}

/** A placeholder of another command counts as missing: it may be removed at any moment. */
function isMissing(path: string): boolean {
  const entry = entryAt(path);
  if (entry === undefined) return true;
  return entry.isDirectory() ? isEmptyDirectory(path) : isPlaceholderFile(entry);
}
