import { CodexError } from "../../../protocol/error.js";
import { findRollout, findThreadByName, isUuid, walkStoredFiles } from "../../../rollout/index.js";
import { UsageError } from "../../exit-codes.js";

/** A recorded session. */
interface FoundSession {
  id: string;
  path: string;
  archived: boolean;
}

/** Sessions to search. */
export type SessionPlace = "active" | "archived" | "any";

/**
 * Finds a session by its id, an id prefix, or its name.
 *
 * Throws if there is none, or if the prefix is ambiguous.
 */
export async function findSession(
  home: string,
  text: string | undefined,
  place: SessionPlace,
): Promise<FoundSession> {
  if (text === undefined || text === "") {
    throw new UsageError("Missing session id or name; `quire sessions list` lists the sessions");
  }
  const id = isUuid(text) ? text.toLowerCase() : await findThreadByName(home, text);
  const found = id === undefined ? undefined : await findById(home, id, place);
  return found ?? findByPrefix(home, text, place);
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

async function findByPrefix(
  home: string,
  text: string,
  place: SessionPlace,
): Promise<FoundSession> {
  const found: FoundSession[] = [];
  const isPrefix = /^[0-9a-f]{6}[0-9a-f-]*$/i.test(text);
  if (isPrefix) {
    for await (const { id, path, archived } of walkStoredFiles(home)) {
      const isAmong = place === "any" || archived === (place === "archived");
      if (isAmong && id.startsWith(text.toLowerCase())) found.push({ id, path, archived });
    }
  }
  const [first, second] = found;
  if (first === undefined) throw notFound(text, place);
  if (second === undefined || second.id === first.id) return first;
  throw new CodexError("not_found", `Ambiguous session id prefix ${text}: give more digits`);
}

function notFound(text: string, place: SessionPlace): CodexError {
  const among = place === "any" ? "active or archived" : place;
  return new CodexError(
    "not_found",
    `No ${among} session found matching '${text}'. See \`quire sessions list\``,
  );
}

/** Operand of commands for one session; `findSession` looks it up. */
export const sessionOperand = {
  operands: "SESSION",
  mostOperands: 1,
  details: "SESSION is a session id, an id prefix, or a name.",
} as const;
