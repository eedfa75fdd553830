import Type, { type Static } from "typebox";
import { described, Nullish } from "./schema.js";

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
