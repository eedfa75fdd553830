import { CodexError } from "../../../protocol/error.js";
import { findRollout, findThreadByName, isUuid, walkStoredFiles } from "../../../rollout/index.js";
import { UsageError } from "../../exit-codes.js";

/** A conversation on disk. */
interface FoundSession {
  id: string;
  path: string;
  archived: boolean;
}

/** Which conversations are looked among. */
export type SessionPlace = "active" | "archived" | "any";

/**
 * Finds a conversation by what the user calls it: its id, the beginning of its id, or its name.
 *
 * Throws when there is none, or when several begin so.
 */
export async function findSession(
  home: string,
  text: string | undefined,
  place: SessionPlace,
): Promise<FoundSession> {
  if (text === undefined || text === "") {
    throw new UsageError("Name a session by its id or name; `quire sessions list` has them");
  }
  const id = isUuid(text) ? text.toLowerCase() : await findThreadByName(home, text);
  const found = id === undefined ? undefined : await findById(home, id, place);
  return found ?? findByBeginning(home, text, place);
}

async function findById(
  home: string,
  id: string,
  place: SessionPlace,
): Promise<FoundSession | undefined> {
  for (const archived of [false, true]) {
    if (place === (archived ? "active" : "archived")) continue;
    const path = await findRollout(home, id, { archived });
    if (path !== undefined) return { id, path, archived };
  }
  return undefined;
}

async function findByBeginning(
  home: string,
  text: string,
  place: SessionPlace,
): Promise<FoundSession> {
  const found: FoundSession[] = [];
  const isBeginning = /^[0-9a-f]{6}[0-9a-f-]*$/i.test(text);
  if (isBeginning) {
    for await (const { id, path, archived } of walkStoredFiles(home)) {
      const isAmong = place === "any" || archived === (place === "archived");
      if (isAmong && id.startsWith(text.toLowerCase())) found.push({ id, path, archived });
    }
  }
  const [first, second] = found;
  if (first === undefined) throw notFound(text, place);
  if (second === undefined || second.id === first.id) return first;
  throw new CodexError("not_found", `Several sessions begin with ${text}: give more of the id`);
}

function notFound(text: string, place: SessionPlace): CodexError {
  const among = place === "any" ? "active or archived" : place;
  return new CodexError(
    "not_found",
    `No ${among} session found matching '${text}'. See \`quire sessions list\``,
  );
}

/** How a command about one session is told which: `findSession` looks it up. */
export const sessionOperand = {
  operands: "SESSION",
  mostOperands: 1,
  details: "A session is named by its id, the beginning of its id, or its name.",
} as const;
