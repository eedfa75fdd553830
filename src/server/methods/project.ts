import { stat } from "node:fs/promises";
import { isAbsolute } from "node:path";
import type {
  Project,
  ProjectCreateParams,
  ProjectImportParams,
  ProjectListParams,
  ProjectListResponse,
  ProjectMoveParams,
  ProjectParams,
  ProjectResponse,
  ProjectRoot,
  ProjectUpdateParams,
} from "../../protocol/rpc/v2/project.js";
import { assertThreadId, type Connection, type V2Handlers } from "../connection.js";
import {
  findProject,
  invalidParams,
  nameOf,
  type Organization,
  type StoredProject,
  threadEntry,
} from "../organization/organization.js";
import type { Server } from "../server.js";
import { pageAfter } from "./page.js";
import { findAnyFile } from "./thread-view.js";

/** Handlers of projects: groups of threads with folders. */
export const projectHandlers = {
  "project/list": list,
  "project/read": read,
  "project/create": (params, connection) => create(params, connection),
  "project/import": (params, connection) => create(params, connection),
  "project/update": update,
  "project/move": move,
  "project/delete": remove,
} satisfies Partial<V2Handlers>;

async function list(
  { cursor, limit, sortKey = "position", sortDirection }: ProjectListParams,
  { server }: Connection,
): Promise<ProjectListResponse> {
  const state = await server.organization().read();
  const all = await Promise.all(state.projects.map((project) => describe(project, state, server)));
  const keyOf = ({ position, recencyAt }: Project) =>
    sortKey === "position" ? position : (recencyAt ?? -1);
  const isAscending = (sortDirection ?? (sortKey === "position" ? "asc" : "desc")) === "asc";
  all.sort((one, other) => {
    const order = keyOf(one) - keyOf(other) || (one.id < other.id ? -1 : 1);
    return isAscending ? order : -order;
  });
  const cursorOf = (project: Project) => `${keyOf(project)}|${project.id}`;
  const at = cursor === undefined ? -1 : all.findIndex((project) => cursorOf(project) === cursor);
  if (cursor !== undefined && at < 0) {
    throw invalidParams("invalid project cursor: malformed or mismatched sort anchor");
  }
  return pageAfter(all, at, limit, cursorOf);
}

async function read(
  { projectId }: ProjectParams,
  { server }: Connection,
): Promise<ProjectResponse> {
  const state = await server.organization().read();
  return { project: await describe(findProject(state, projectId), state, server) };
}

async function create(
  params: ProjectCreateParams & Pick<ProjectImportParams, "threads">,
  { server }: Connection,
): Promise<ProjectResponse> {
  const { idempotencyKey, roots, metadata } = params;
  const name = nameOf(params.name, "project");
  if (idempotencyKey === "") throw invalidParams("idempotencyKey must not be empty");
  checkRoots(roots);
  const threads = await findThreads(params.threads ?? [], server);
  const { newId, clock } = server.parts;
  const now = Math.floor(clock.now() / 1000);
  const made = await server.organization().change((state) => {
    const before = state.projects.find((project) => project.idempotencyKey === idempotencyKey);
    if (before !== undefined) return { project: before, isNew: false, state };
    const project: StoredProject = {
      id: newId(),
      idempotencyKey,
      name,
      roots,
      metadata: metadata ?? {},
      position: Math.max(-1, ...state.projects.map(({ position }) => position)) + 1,
      createdAt: now,
      updatedAt: now,
    };
    state.projects.push(project);
    for (const thread of threads) threadEntry(state, thread).projectId = project.id;
    return { project, isNew: true, state };
  });
  const { id: projectId } = made.project;
  if (made.isNew) {
    server.notifyAll("project/changed", { projectId, changeType: "created" });
    for (const threadId of threads)
      server.notifyAll("thread/project/updated", { threadId, projectId });
  }
  return { project: await describe(made.project, made.state, server) };
}

async function update(
  { projectId, name: given, roots, metadata }: ProjectUpdateParams,
  { server }: Connection,
): Promise<ProjectResponse> {
  const name = given == null ? undefined : nameOf(given, "project");
  checkRoots(roots ?? []);
  const isChange = name !== undefined || roots != null || metadata != null;
  const now = Math.floor(server.parts.clock.now() / 1000);
  const { project, state } = await server.organization().change((state) => {
    const found = findProject(state, projectId);
    found.name = name ?? found.name;
    found.roots = roots ?? found.roots;
    found.metadata = metadata ?? found.metadata;
    if (isChange) found.updatedAt = now;
    return { project: found, state };
  });
  if (isChange) server.notifyAll("project/changed", { projectId, changeType: "updated" });
  return { project: await describe(project, state, server) };
}

async function move(
  { projectId, beforeProjectId: before }: ProjectMoveParams,
  { server }: Connection,
): Promise<Record<string, never>> {
  const now = Math.floor(server.parts.clock.now() / 1000);
  await server.organization().change((state) => {
    const moved = findProject(state, projectId);
    if (before === projectId)
      throw invalidParams(`project ${projectId} cannot be moved before itself`);
    const others = state.projects
      .filter((project) => project !== moved)
      .sort((one, other) => one.position - other.position);
    const at = before == null ? others.length : others.findIndex(({ id }) => id === before);
    if (at < 0) throw invalidParams(`before project not found: ${before}`);
    others.splice(at, 0, moved);
    others.forEach((project, position) => {
      project.position = position;
    });
    moved.updatedAt = now;
    state.projects = others;
  });
  server.notifyAll("project/changed", { projectId, changeType: "updated" });
  return {};
}

async function remove(
  { projectId }: ProjectParams,
  { server }: Connection,
): Promise<Record<string, never>> {
  await server.organization().change((state) => {
    const found = findProject(state, projectId);
    state.projects = state.projects.filter((project) => project !== found);
    for (const thread of Object.values(state.threads)) {
      if (thread.projectId === projectId) delete thread.projectId;
    }
  });
  server.notifyAll("project/changed", { projectId, changeType: "deleted" });
  return {};
}

/** Describes a project; its recency is that of the thread that changed last. */
async function describe(
  { idempotencyKey: _, ...project }: StoredProject,
  { threads }: Organization,
  server: Server,
): Promise<Project> {
  const ids = Object.entries(threads).filter(([, { projectId }]) => projectId === project.id);
  const times = await Promise.all(ids.map(([id]) => updatedAt(id, server)));
  const known = times.flatMap((time) => time ?? []);
  return { ...project, recencyAt: known.length === 0 ? null : Math.max(...known) };
}

async function updatedAt(id: string, server: Server): Promise<number | undefined> {
  const path = await findAnyFile(server, id);
  const stats = path === undefined ? undefined : await stat(path).catch(() => undefined);
  return stats && Math.floor(stats.mtimeMs / 1000);
}

async function findThreads(ids: readonly string[], server: Server): Promise<string[]> {
  const found: string[] = [];
  for (const given of ids) {
    assertThreadId(given);
    const id = given.toLowerCase();
    if ((await findAnyFile(server, id)) === undefined)
      throw invalidParams(`thread not found: ${given}`);
    found.push(id);
  }
  return found;
}

function checkRoots(roots: readonly ProjectRoot[]): void {
  const wrong = roots.find(({ path }) => !isAbsolute(path));
  if (wrong === undefined) return;
  const got = JSON.stringify(wrong.path);
  throw invalidParams(`Expected the roots of a project to be absolute paths (got ${got})`);
}
