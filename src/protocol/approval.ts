import Type, { type Static } from "typebox";
import { described, Nullish } from "./schema.js";

export const ExecPolicyAmendmentDecision = Type.Object(
  {
    approved_execpolicy_amendment: Type.Object(
      {
        proposed_execpolicy_amendment: Type.Array(Type.String(), {
          description: "The first words of the commands to allow from now on.",
        }),
      },
      { description: "The rule to remember." },
    ),
  },
  {
    $id: "ExecPolicyAmendmentDecision",
    description: "Approves the command and remembers a rule for commands that begin alike.",
  },
);
export interface ExecPolicyAmendmentDecision extends Static<typeof ExecPolicyAmendmentDecision> {}

export const ReviewDecision = Type.Union(
  [Type.Enum(["approved", "approved_for_session", "denied", "abort"]), ExecPolicyAmendmentDecision],
  {
    $id: "ReviewDecision",
    description:
      "What the user says to a request: yes, yes for the rest of the session, no but go on, " +
      "or no and stop the turn.",
  },
);
/** What the user says to an approval request. */
export type ReviewDecision =
  | "approved"
  | "approved_for_session"
  | "denied"
  | "abort"
  | ExecPolicyAmendmentDecision;

export const NetworkPermissions = Type.Object(
  { enabled: Nullish(Type.Boolean(), { description: "Whether the network may be used." }) },
  { $id: "NetworkPermissions", description: "What may be done on the network." },
);
export interface NetworkPermissions extends Static<typeof NetworkPermissions> {}

export const FileSystemPermissions = Type.Object(
  {
    read: Nullish(Type.Array(Type.String()), {
      description: "What may be read; no sandbox of ours forbids reading, so this adds nothing.",
    }),
    write: Nullish(Type.Array(Type.String()), {
      description: "What may be written, with all below it.",
    }),
  },
  { $id: "FileSystemPermissions", description: "What may be done with files." },
);
export interface FileSystemPermissions extends Static<typeof FileSystemPermissions> {}

export const PermissionProfile = Type.Object(
  {
    network: Nullish(NetworkPermissions, { description: "On the network." }),
    file_system: Nullish(FileSystemPermissions, { description: "With files." }),
  },
  { $id: "PermissionProfile", description: "What may be done beyond the sandbox." },
);
export interface PermissionProfile extends Static<typeof PermissionProfile> {}

export const PermissionGrantScope = Type.Enum(["turn", "session"], {
  $id: "PermissionGrantScope",
  description: "How long a permission holds.",
});
/** How long a permission holds. */
export type PermissionGrantScope = Static<typeof PermissionGrantScope>;

export const RequestPermissionsResponse = Type.Object(
  {
    permissions: described(
      PermissionProfile,
      "What is granted; empty for nothing. More than was asked for is never granted.",
    ),
    scope: Nullish(PermissionGrantScope, { description: "How long it holds; `turn` if absent." }),
    strict_auto_review: Type.Optional(
      Type.Boolean({
        description:
          "Grants only under the eyes of an automatic reviewer; there is none, so nothing is granted.",
      }),
    ),
  },
  { $id: "RequestPermissionsResponse", description: "What the model may do from now on." },
);
export interface RequestPermissionsResponse extends Static<typeof RequestPermissionsResponse> {}

export const UserInputOption = Type.Object(
  {
    label: Type.String({ description: "The choice in a word or two." }),
    description: Type.String({ description: "What choosing it means." }),
  },
  { $id: "UserInputOption", description: "A choice offered to the user." },
);
export interface UserInputOption extends Static<typeof UserInputOption> {}

export const UserInputQuestion = Type.Object(
  {
    id: Type.String({ description: "The key of its answer." }),
    header: Type.String({ description: "A short title." }),
    question: Type.String({ description: "The question." }),
    isOther: Type.Optional(
      Type.Boolean({ description: "Whether a free answer may be given besides the options." }),
    ),
    isSecret: Type.Optional(
      Type.Boolean({ description: "Whether the answer is not to be shown." }),
    ),
    options: Type.Optional(
      Type.Array(UserInputOption, { description: "The choices, if it is not a free question." }),
    ),
  },
  { $id: "UserInputQuestion", description: "A question of the model to the user." },
);
export interface UserInputQuestion extends Static<typeof UserInputQuestion> {}

export const UserInputAnswer = Type.Object(
  { answers: Type.Array(Type.String(), { description: "What was chosen or typed." }) },
  { $id: "UserInputAnswer", description: "The answer to one question." },
);
export interface UserInputAnswer extends Static<typeof UserInputAnswer> {}

export const UserInputResponse = Type.Object(
  {
    answers: Type.Record(Type.String(), UserInputAnswer, {
      description: "The answers by the `id` of their question.",
    }),
  },
  { $id: "UserInputResponse", description: "The answers to all questions of a request." },
);
export interface UserInputResponse extends Static<typeof UserInputResponse> {}
