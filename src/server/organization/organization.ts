import { RpcError, rpcCodes } from "../../jsonrpc/index.js";
import { CodexError } from "../../protocol/error.js";
import { isRecord } from "../../protocol/read/check.js";
import type { ThreadAttachment } from "../../protocol/rpc/v2/attachment.js";
import type { Project } from "../../protocol/rpc/v2/project.js";
import type { ThreadSection } from "../../protocol/rpc/v2/section.js";

/** A section and its threads, in the user's order. */
export interface StoredSection extends ThreadSection {
  threads: string[];
}

/** A project; its threads refer to it. */
export interface StoredProject extends Omit<Project, "recencyAt"> {
  /** Key of the request that created it: a repeated request returns the same project. */
  idempotencyKey: string;
}

/** Facts about a thread that clients have set. */
export interface OrganizedThread {
  /** In Unix seconds. */
  sectionEnteredAt?: number;
  projectId?: string;
  /** Edited git facts; an absent one is that of the rollout. */
  git?: Partial<Record<"sha" | "branch" | "originUrl", string | null>>;
  attachments?: ThreadAttachment[];
}

/** Everything that clients have set beside the conversations. */
export interface Organization {
  sections: StoredSection[];
  projects: StoredProject[];
  threads: Record<string, OrganizedThread>;
}

/** Id of the section `Pinned`, which always exists; the same as in the reference. */
export const pinnedId = "01984de2-8f74-7c91-a3b2-5c5e937cf318";

/** Returns the state without any change of a client. */
export function emptyOrganization(): Organization {
  const pinned = { id: pinnedId, name: "Pinned", appearance: null, threads: [] };
  return { sections: [pinned], projects: [], threads: {} };
}

/** Parses the stored state; throws if the file is damaged, so that it is not overwritten. */
export function parseOrganization(text: string, path: string): Organization {
  try {
    const value: unknown = JSON.parse(text);
    const isWhole =
      isRecord(value) &&
      Array.isArray(value.sections) &&
      Array.isArray(value.projects) &&
      isRecord(value.threads);
    if (isWhole) return value as unknown as Organization;
  } catch {
    // Reported below.
  }
  const message = `${path} is not valid. Repair it, or delete it to lose sections, projects and attachments`;
  throw new CodexError("io", message);
}

/** Returns the entry of a thread for changes. */
export function threadEntry({ threads }: Organization, id: string): OrganizedThread {
  const entry = threads[id] ?? {};
  threads[id] = entry;
  return entry;
}

/** Removes everything about a thread. */
export function forgetThread(state: Organization, id: string): void {
  delete state.threads[id];
  for (const section of state.sections) {
    section.threads = section.threads.filter((thread) => thread !== id);
  }
}

/** Returns the section of a thread, if it is in one. */
export function sectionOf({ sections }: Organization, id: string): StoredSection | undefined {
  return sections.find(({ threads }) => threads.includes(id));
}

/** Returns a project; throws if it does not exist. */
export function findProject({ projects }: Organization, id: string): StoredProject {
  const found = projects.find((project) => project.id === id);
  if (found === undefined) throw invalidParams(`project not found: ${id}`);
  return found;
}

/** Returns a name without the blanks around it; throws if it is empty. */
export function nameOf(given: string, owner: "section" | "project"): string {
  const name = given.trim();
  if (name === "") throw invalidParams(`${owner} name must not be empty`);
  return name;
}

/** Returns the error for params that are invalid or name something missing. */
export function invalidParams(message: string): RpcError {
  return new RpcError(rpcCodes.invalidParams, message);
}
