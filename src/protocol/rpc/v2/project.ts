import Type, { type Static } from "typebox";
import { allSince, described, Nullable, Nullish } from "../../schema.js";
import { defineMethod, defineNotification } from "../declare.js";
import { EmptyResponse, nextCursor, PageParams, SortDirection } from "./common.js";

const projectId = Type.String({ description: "Project id." });
const seconds = (description: string) =>
  Type.Integer({ description: `${description}, in Unix seconds.` });

export const ProjectRoot = Type.Object(
  allSince("0.166", { path: Type.String({ description: "Folder; an absolute path." }) }),
  { $id: "ProjectRoot", description: "A folder of a project." },
);
export interface ProjectRoot extends Static<typeof ProjectRoot> {}

const name = Type.String({ description: "Name; must not be blank." });
const roots = Type.Array(ProjectRoot, { description: "Folders." });
const metadata = Type.Record(Type.String(), Type.String(), {
  description: "Data of the client, by name.",
});

export const Project = Type.Object(
  allSince("0.166", {
    id: projectId,
    name,
    roots,
    metadata,
    position: Type.Integer({ description: "Position in the user's order." }),
    createdAt: seconds("Creation time"),
    updatedAt: seconds("Time of the last change"),
    recencyAt: Nullable(Type.Integer(), {
      description: "Time of the last update of its threads, in Unix seconds; null without threads.",
    }),
  }),
  { $id: "Project", description: "A project: a group of threads, with folders." },
);
export interface Project extends Static<typeof Project> {}

export const ProjectListParams = Type.Object(
  {
    ...PageParams,
    sortKey: Type.Optional(
      Type.Enum(["position", "recencyAt"], { description: "Sort key. Default: `position`." }),
    ),
    sortDirection: described(
      Type.Optional(SortDirection),
      "Sort order. Default: `asc` by position, `desc` by recency.",
    ),
  },
  { $id: "ProjectListParams", description: "Params of `project/list`." },
);
export interface ProjectListParams extends Static<typeof ProjectListParams> {}

export const ProjectListResponse = Type.Object(
  allSince("0.166", { data: Type.Array(Project, { description: "Projects." }), nextCursor }),
  { $id: "ProjectListResponse", description: "Result of `project/list`." },
);
export interface ProjectListResponse extends Static<typeof ProjectListResponse> {
  data: Project[];
}

export const ProjectParams = Type.Object(
  { projectId },
  { $id: "ProjectParams", description: "Params with a project id." },
);
export interface ProjectParams extends Static<typeof ProjectParams> {}

export const ProjectResponse = Type.Object(
  allSince("0.166", { project: described(Project, "The project.") }),
  { $id: "ProjectResponse", description: "Result with a project." },
);
export interface ProjectResponse extends Static<typeof ProjectResponse> {
  project: Project;
}

const creation = {
  idempotencyKey: Type.String({
    description: "Key of the request: repeated with it, the request returns the same project.",
  }),
  name,
  roots,
  metadata: Nullish(metadata),
};

export const ProjectCreateParams = Type.Object(creation, {
  $id: "ProjectCreateParams",
  description: "Params of `project/create`.",
});
export interface ProjectCreateParams extends Static<typeof ProjectCreateParams> {}

export const ProjectImportParams = Type.Object(
  {
    ...creation,
    threads: Nullish(Type.Array(Type.String()), { description: "Threads to assign to it." }),
  },
  { $id: "ProjectImportParams", description: "Params of `project/import`." },
);
export interface ProjectImportParams extends Static<typeof ProjectImportParams> {}

export const ProjectUpdateParams = Type.Object(
  {
    projectId,
    name: Nullish(Type.String(), { description: "New name. Default: unchanged." }),
    roots: Nullish(Type.Array(ProjectRoot), { description: "New folders. Default: unchanged." }),
    metadata: Nullish(metadata, { description: "New data. Default: unchanged." }),
  },
  { $id: "ProjectUpdateParams", description: "Params of `project/update`." },
);
export interface ProjectUpdateParams extends Static<typeof ProjectUpdateParams> {}

export const ProjectMoveParams = Type.Object(
  {
    projectId,
    beforeProjectId: Nullish(Type.String(), {
      description: "Project to move it before. Default: the end.",
    }),
  },
  { $id: "ProjectMoveParams", description: "Params of `project/move`." },
);
export interface ProjectMoveParams extends Static<typeof ProjectMoveParams> {}

export const ProjectChangedNotification = Type.Object(
  allSince("0.166", {
    projectId,
    changeType: Type.Enum(["created", "updated", "deleted"], { description: "Kind of change." }),
  }),
  { $id: "ProjectChangedNotification", description: "A project changed." },
);
export interface ProjectChangedNotification extends Static<typeof ProjectChangedNotification> {}

const dates = { since: "0.166", experimental: "0.166" } as const;

export const projectMethods = [
  defineMethod({
    name: "project/list",
    summary: "Lists the projects.",
    scope: "server",
    params: ProjectListParams,
    result: ProjectListResponse,
    ...dates,
  }),
  defineMethod({
    name: "project/read",
    summary: "Returns a project.",
    scope: "server",
    params: ProjectParams,
    result: ProjectResponse,
    ...dates,
  }),
  defineMethod({
    name: "project/create",
    summary: "Creates a project.",
    scope: "server",
    params: ProjectCreateParams,
    result: ProjectResponse,
    ...dates,
  }),
  defineMethod({
    name: "project/import",
    summary: "Creates a project with threads.",
    scope: "server",
    params: ProjectImportParams,
    result: ProjectResponse,
    ...dates,
  }),
  defineMethod({
    name: "project/update",
    summary: "Changes the name, folders or data of a project.",
    scope: "server",
    params: ProjectUpdateParams,
    result: ProjectResponse,
    ...dates,
  }),
  defineMethod({
    name: "project/move",
    summary: "Changes the position of a project.",
    scope: "server",
    params: ProjectMoveParams,
    result: EmptyResponse,
    ...dates,
  }),
  defineMethod({
    name: "project/delete",
    summary: "Deletes a project. Its threads stay.",
    scope: "server",
    params: ProjectParams,
    result: EmptyResponse,
    ...dates,
  }),
  defineNotification({
    name: "project/changed",
    summary: "A project was created, changed or deleted.",
    scope: "server",
    params: ProjectChangedNotification,
    since: "0.166",
  }),
];
