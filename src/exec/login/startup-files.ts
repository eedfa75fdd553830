import { statSync } from "node:fs";
import { join } from "node:path";

/** How the files are that bash reads when a user logs in: another text when one of them has changed. */
export function startupFilesVersion(userHome: string): string {
  const files = [...systemFiles, ...userFiles.map((name) => join(userHome, name))];
  return files.map(versionOf).join();
}

const systemFiles = ["/etc/profile", "/etc/profile.d", "/etc/bash.bashrc", "/etc/bashrc"];

const userFiles = [".bash_profile", ".bash_login", ".profile", ".bashrc", ".bash_aliases"];

function versionOf(path: string): string {
  try {
    const { ino, size, mtimeMs } = statSync(path);
    return `${ino}:${size}:${mtimeMs}`;
  } catch {
    return ""; // not there, or in a home that is not ours to look at
  }
}
