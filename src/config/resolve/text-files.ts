import { readFile } from "node:fs/promises";
import { CodexError } from "../../protocol/error.js";

/** The text of a file that a setting names, trimmed; throws when it cannot be read or says nothing. */
export async function readNamedText(
  file: string | undefined,
  setting: string,
): Promise<string | undefined> {
  if (file === undefined) return undefined;
  const text = (await readOrThrow(file, setting)).trim();
  if (text !== "") return text;
  throw new CodexError("config", `\`${setting}\` names ${file}, which is empty`, {
    data: { reason: "file", file },
  });
}

async function readOrThrow(file: string, setting: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    const reason = (error as Error).message;
    throw new CodexError(
      "config",
      `\`${setting}\` names ${file}, which cannot be read: ${reason}`,
      {
        data: { reason: "file", file },
        cause: error,
      },
    );
  }
}
