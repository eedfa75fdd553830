import type { AppServerClient } from "../../client/index.js";
import { codexHome } from "../../config/index.js";
import type { SamePlace } from "../../project/index.js";
import type { CommandIo } from "../command.js";
import { UsageError } from "../exit-codes.js";
import type { ExecRequest } from "./exec-request.js";

/** Selects a thread to resume. */
export type ResumeChoice = { kind: "resume"; id: string } | { kind: "last"; anywhere: boolean };

/** A thread to resume. */
export interface FoundThread {
  threadId: string;
  /** Set if it worked in a worktree of this repository that still exists. */
  worktree?: { path: string; cwd: string };
}

type FindIo = Pick<CommandIo, "env" | "signal">;

/** Finds the thread that a user names, or the most recent one of the folder. */
export async function findThread(
  client: AppServerClient,
  choice: ResumeChoice,
  request: ExecRequest,
  io: FindIo,
): Promise<FoundThread> {
  if (choice.kind === "last") return findLast(client, choice, request, io);
  if (isUuid(choice.id)) return { threadId: choice.id };
  const { data } = await list(client, { searchTerm: choice.id }, io);
  const named = data.find(({ name }) => name === choice.id);
  if (named !== undefined) return { threadId: named.id };
  throw new UsageError(`No saved session named ${choice.id} found. See \`quire sessions list\``);
}

async function findLast(
  client: AppServerClient,
  { anywhere }: { anywhere: boolean },
  { thread: { cwd }, remote }: ExecRequest,
  io: FindIo,
): Promise<FoundThread> {
  const place = anywhere || remote !== undefined ? undefined : await placeOf(cwd, io);
  if (place !== undefined) return findLastIn(client, place, cwd, io);
  const { data } = await list(client, { limit: 1, ...(anywhere ? {} : { cwd }) }, io);
  if (data[0] !== undefined) return { threadId: data[0].id };
  throw nothingOf(anywhere ? "" : cwd);
}

async function placeOf(cwd: string, { env }: FindIo): Promise<SamePlace | undefined> {
  const { samePlace } = await import("../../project/same-place.js");
  return samePlace(cwd, codexHome(env));
}

/** Also finds what ran in worktrees of the repository, which `--worktree` has created. */
async function findLastIn(
  client: AppServerClient,
  place: SamePlace,
  cwd: string,
  io: FindIo,
): Promise<FoundThread> {
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await list(
      client,
      { limit: 100, ...(cursor === undefined ? {} : { cursor }) },
      io,
    );
    const found = page.data.find((thread) => place.includes(thread.cwd));
    if (found !== undefined) {
      const path = place.isMain ? place.worktreeOf(found.cwd) : undefined;
      const worktree = path === undefined ? {} : { worktree: { path, cwd: found.cwd } };
      return { threadId: found.id, ...worktree };
    }
    cursor = page.nextCursor ?? null;
  }
  throw nothingOf(cwd);
}

function nothingOf(cwd: string): UsageError {
  return new UsageError(`No saved session${cwd === "" ? "" : ` of ${cwd}`} to resume`);
}

interface ListParams {
  searchTerm?: string;
  limit?: number;
  cwd?: string;
  cursor?: string;
}

function list(client: AppServerClient, params: ListParams, { signal }: FindIo) {
  const sourceKinds = ["cli" as const, "vscode" as const, "exec" as const, "appServer" as const];
  return client.request("thread/list", { ...params, sortKey: "updated_at", sourceKinds }, signal);
}

function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}
