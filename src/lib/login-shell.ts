import { readFileSync } from "node:fs";
import { userInfo } from "node:os";

/** Returns the shell that the password file names for the user, or `undefined` if it has no entry. */
export function readLoginShell(): string | undefined {
  try {
    const { shell, uid } = userInfo();
    // Bun returns the variable SHELL instead, and "unknown" without it.
    if (process.versions.bun === undefined) return shell ?? undefined;
    const lines = readFileSync("/etc/passwd", "utf8").split("\n");
    const entry = lines.map((line) => line.split(":")).find((fields) => fields[2] === String(uid));
    return entry?.[6] || undefined;
  } catch {
    return undefined;
  }
}
