import Type, { type Static } from "typebox";
import { described, Nullish } from "./schema.js";

export const ExecPolicyAmendmentDecision = Type.Object(
  {
    approved_execpolicy_amendment: Type.Object(
      {
        proposed_execpolicy_amendment: Type.Array(Type.String(), {
          description: "Command prefix to allow from now on.",
        }),
      },
      { description: "Rule to save." },
    ),
  },
  {
    $id: "ExecPolicyAmendmentDecision",
    description: "Approves the command and saves a rule for commands with the same prefix.",
  },
);
export interface ExecPolicyAmendmentDecision extends Static<typeof ExecPolicyAmendmentDecision> {}

export const ReviewDecision = Type.Union(
  [Type.Enum(["approved", "approved_for_session", "denied", "abort"]), ExecPolicyAmendmentDecision],
  {
    $id: "ReviewDecision",
    description:
      "Decision on an approval request: approve, approve for the session, deny and continue, or deny and abort the turn.",
  },
);
/** Decision on an approval request. */
export type ReviewDecision =
  | "approved"
  | "approved_for_session"
  | "denied"
  | "abort"
  | ExecPolicyAmendmentDecision;

export const NetworkPermissions = Type.Object(
  { enabled: Nullish(Type.Boolean(), { description: "Allows network access." }) },
  { $id: "NetworkPermissions", description: "Network permissions." },
);
export interface NetworkPermissions extends Static<typeof NetworkPermissions> {}

export const FileSystemPermissions = Type.Object(
  {
    read: Nullish(Type.Array(Type.String()), {
      description: "Readable paths. Has no effect: the sandbox never restricts reading.",
    }),
    write: Nullish(Type.Array(Type.String()), {
      description: "Writable paths, including everything below them.",
    }),
  },
  { $id: "FileSystemPermissions", description: "File system permissions." },
);
export interface FileSystemPermissions extends Static<typeof FileSystemPermissions> {}

export const PermissionProfile = Type.Object(
  {
    network: Nullish(NetworkPermissions, { description: "Network permissions." }),
    file_system: Nullish(FileSystemPermissions, { description: "File system permissions." }),
  },
  { $id: "PermissionProfile", description: "Permissions beyond the sandbox policy." },
);
export interface PermissionProfile extends Static<typeof PermissionProfile> {}

export const PermissionGrantScope = Type.Enum(["turn", "session"], {
  $id: "PermissionGrantScope",
  description: "Lifetime of a granted permission.",
});
/** Lifetime of a granted permission. */
export type PermissionGrantScope = Static<typeof PermissionGrantScope>;

export const RequestPermissionsResponse = Type.Object(
  {
    permissions: described(
      PermissionProfile,
      "Granted permissions; empty to deny. Permissions that were not requested are ignored.",
    ),
    scope: Nullish(PermissionGrantScope, {
      description: "Lifetime of the grant. Default: `turn`.",
    }),
    strict_auto_review: Type.Optional(
      Type.Boolean({
        description:
          "Lets the automatic reviewer decide about every later command of this turn, also about those that " +
          "need no approval. With the scope `session` nothing is granted.",
      }),
    ),
  },
  { $id: "RequestPermissionsResponse", description: "Permissions granted to the model." },
);
export interface RequestPermissionsResponse extends Static<typeof RequestPermissionsResponse> {}

export const UserInputOption = Type.Object(
  {
    label: Type.String({ description: "Short label." }),
    description: Type.String({ description: "Explanation of the choice." }),
  },
  { $id: "UserInputOption", description: "An option of a question." },
);
export interface UserInputOption extends Static<typeof UserInputOption> {}

export const UserInputQuestion = Type.Object(
  {
    id: Type.String({ description: "Key of the answer." }),
    header: Type.String({ description: "Short title." }),
    question: Type.String({ description: "Question text." }),
    isOther: Type.Optional(
      Type.Boolean({ description: "Allows a free-text answer besides the options." }),
    ),
    isSecret: Type.Optional(Type.Boolean({ description: "Hides the answer while it is typed." })),
    options: Type.Optional(
      Type.Array(UserInputOption, { description: "Options; absent for a free-text question." }),
    ),
  },
  { $id: "UserInputQuestion", description: "A question from the model to the user." },
);
export interface UserInputQuestion extends Static<typeof UserInputQuestion> {}

export const UserInputAnswer = Type.Object(
  { answers: Type.Array(Type.String(), { description: "Chosen options or typed text." }) },
  { $id: "UserInputAnswer", description: "The answer to one question." },
);
export interface UserInputAnswer extends Static<typeof UserInputAnswer> {}

export const UserInputResponse = Type.Object(
  {
    answers: Type.Record(Type.String(), UserInputAnswer, {
      description: "Answers by the `id` of the question.",
    }),
  },
  { $id: "UserInputResponse", description: "Answers to all questions of a request." },
);
export interface UserInputResponse extends Static<typeof UserInputResponse> {}
