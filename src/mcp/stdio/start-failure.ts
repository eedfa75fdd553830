import { stat } from "node:fs/promises";
import { constants } from "node:os";
import { errorCode } from "../../lib/error-code.js";
import { errorText } from "../../lib/error-text.js";

/** Why a program could not be started, in the words of the system. */
export async function startFailureText(error: unknown, cwd: string): Promise<string> {
  const code = String(errorCode(error) ?? "");
  const text = systemTexts[code];
  const number = constants.errno[code as keyof typeof constants.errno];
  if (text === undefined || number === undefined) {
    return errorText(error);
  }
  // The system says the same of a program and of a folder that is not there.
  const folder = await stat(cwd).catch(() => undefined);
  if (!folder?.isDirectory()) return `the folder ${cwd} to start it in does not exist`;
  return `${text} (os error ${number})`;
}

const systemTexts: Record<string, string> = {
  E2BIG: "Argument list too long",
  EACCES: "Permission denied",
  EAGAIN: "Resource temporarily unavailable",
  EMFILE: "Too many open files",
  ENOENT: "No such file or directory",
  ENOEXEC: "Exec format error",
  ENOMEM: "Cannot allocate memory",
  ENOTDIR: "Not a directory",
  EPERM: "Operation not permitted",
};
