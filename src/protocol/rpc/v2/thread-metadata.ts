import Type, { type Static } from "typebox";
import { allSince, experimental, Nullable, Nullish } from "../../schema.js";
import { defineMethod, defineNotification } from "../declare.js";
import { ThreadResponse } from "./thread.js";

const fact = (description: string) =>
  Type.Optional(
    Nullable(Type.String(), {
      description: `${description}; \`null\` clears it. Default: unchanged.`,
    }),
  );

export const ThreadMetadataGitInfoUpdate = Type.Object(
  {
    sha: fact("Commit hash"),
    branch: fact("Branch name"),
    originUrl: fact("URL of the remote repository"),
  },
  { $id: "ThreadMetadataGitInfoUpdate", description: "Changes of the git facts of a thread." },
);
export interface ThreadMetadataGitInfoUpdate extends Static<typeof ThreadMetadataGitInfoUpdate> {}

export const ThreadMetadataUpdateParams = Type.Object(
  {
    threadId: Type.String({ description: "Thread id (UUID)." }),
    gitInfo: Nullish(ThreadMetadataGitInfoUpdate, { description: "Changes of the git facts." }),
    projectId: experimental(
      "0.166",
      Nullish(Type.String(), {
        description: "Project to assign it to; an empty text removes it from its project.",
      }),
    ),
  },
  { $id: "ThreadMetadataUpdateParams", description: "Params of `thread/metadata/update`." },
);
export interface ThreadMetadataUpdateParams extends Static<typeof ThreadMetadataUpdateParams> {
  gitInfo?: ThreadMetadataGitInfoUpdate | null;
}

export const ThreadProjectUpdatedNotification = Type.Object(
  allSince("0.166", {
    threadId: Type.String({ description: "Thread id." }),
    projectId: Nullable(Type.String(), { description: "Project; null if it has none." }),
  }),
  {
    $id: "ThreadProjectUpdatedNotification",
    description: "A thread was assigned to a project or removed from it.",
  },
);
export interface ThreadProjectUpdatedNotification
  extends Static<typeof ThreadProjectUpdatedNotification> {}

export const threadMetadataMethods = [
  defineMethod({
    name: "thread/metadata/update",
    summary: "Changes the git facts or the project of a stored thread.",
    scope: "thread",
    params: ThreadMetadataUpdateParams,
    result: ThreadResponse,
    since: "0.166",
  }),
  defineNotification({
    name: "thread/project/updated",
    summary: "The project of a thread changed.",
    scope: "server",
    params: ThreadProjectUpdatedNotification,
    since: "0.166",
  }),
];
