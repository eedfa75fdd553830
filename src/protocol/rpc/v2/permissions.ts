import Type, { type Static } from "typebox";
import { PermissionGrantScope } from "../../approval.js";
import { described, Nullable, Nullish, taggedUnion } from "../../schema.js";
import { defineServerRequest } from "../declare.js";
import { place, startedAtMs } from "./common.js";

export { PermissionGrantScope } from "../../approval.js";

export const AdditionalNetworkPermissions = Type.Object(
  { enabled: Nullish(Type.Boolean(), { description: "Whether the network may be used." }) },
  { $id: "AdditionalNetworkPermissions", description: "What may be done on the network." },
);
export interface AdditionalNetworkPermissions extends Static<typeof AdditionalNetworkPermissions> {}

export const FileSystemAccessMode = Type.Enum(["read", "write", "deny"], {
  $id: "FileSystemAccessMode",
  description: "What may be done with a place.",
});
/** What may be done with a place. */
export type FileSystemAccessMode = Static<typeof FileSystemAccessMode>;

export const NamedPath = Type.Object(
  {
    type: Type.Literal("path"),
    path: Type.String({ description: "The place, with all below it." }),
  },
  { $id: "NamedPath", description: "A place by its path." },
);
export interface NamedPath extends Static<typeof NamedPath> {}

export const PathPattern = Type.Object(
  {
    type: Type.Literal("glob_pattern"),
    pattern: Type.String({ description: "Which paths; never asked for and never granted here." }),
  },
  { $id: "PathPattern", description: "Places by a pattern of their paths." },
);
export interface PathPattern extends Static<typeof PathPattern> {}

export const SpecialPath = Type.Object(
  {
    type: Type.Literal("special"),
    value: Type.Unknown({ description: "Which one; never asked for and never granted here." }),
  },
  { $id: "SpecialPath", description: "A place by what it is for." },
);
export interface SpecialPath extends Static<typeof SpecialPath> {}

/** A place, or several. */
export type FileSystemPath = NamedPath | PathPattern | SpecialPath;
export const FileSystemPath = taggedUnion(
  "FileSystemPath",
  "type",
  [NamedPath, PathPattern, SpecialPath],
  "A place, or several.",
);

export const FileSystemSandboxEntry = Type.Object(
  {
    path: described(FileSystemPath, "The place."),
    access: described(FileSystemAccessMode, "What may be done there."),
  },
  { $id: "FileSystemSandboxEntry", description: "A place, and what may be done there." },
);
export interface FileSystemSandboxEntry extends Static<typeof FileSystemSandboxEntry> {
  path: FileSystemPath;
}

export const AdditionalFileSystemPermissions = Type.Object(
  {
    read: Nullish(Type.Array(Type.String()), { description: "What may be read." }),
    write: Nullish(Type.Array(Type.String()), { description: "What may be written." }),
    globScanMaxDepth: Type.Optional(
      Type.Integer({ description: "How deep patterns are looked for; never asked for here." }),
    ),
    entries: Type.Optional(
      Type.Array(FileSystemSandboxEntry, {
        description: "The same place by place. In an answer these count, where they are given.",
      }),
    ),
  },
  { $id: "AdditionalFileSystemPermissions", description: "What may be done with files." },
);
export interface AdditionalFileSystemPermissions
  extends Static<typeof AdditionalFileSystemPermissions> {}

export const RequestPermissionProfile = Type.Object(
  {
    network: Nullable(AdditionalNetworkPermissions, { description: "On the network." }),
    fileSystem: Nullable(AdditionalFileSystemPermissions, { description: "With files." }),
  },
  { $id: "RequestPermissionProfile", description: "What is asked for beyond the sandbox." },
);
export interface RequestPermissionProfile extends Static<typeof RequestPermissionProfile> {}

export const GrantedPermissionProfile = Type.Object(
  {
    network: Nullish(AdditionalNetworkPermissions, { description: "On the network." }),
    fileSystem: Nullish(AdditionalFileSystemPermissions, { description: "With files." }),
  },
  { $id: "GrantedPermissionProfile", description: "What is granted beyond the sandbox." },
);
export interface GrantedPermissionProfile extends Static<typeof GrantedPermissionProfile> {}

export const PermissionsRequestApprovalParams = Type.Object(
  {
    ...place,
    environmentId: Nullable(Type.String(), { description: "Always `local`: there is one place." }),
    startedAtMs,
    cwd: Type.String({ description: "Where the turn works." }),
    reason: Nullable(Type.String(), { description: "Why the model asks for them." }),
    permissions: described(RequestPermissionProfile, "What it asks for."),
  },
  { $id: "PermissionsRequestApprovalParams", description: "May the model do more than now?" },
);
export interface PermissionsRequestApprovalParams
  extends Static<typeof PermissionsRequestApprovalParams> {}

export const PermissionsRequestApprovalResponse = Type.Object(
  {
    permissions: described(
      GrantedPermissionProfile,
      "What is granted; empty for nothing. More than was asked for is never granted.",
    ),
    scope: described(
      Type.Optional(PermissionGrantScope),
      "How long it holds; for the turn if absent.",
    ),
    strictAutoReview: Type.Optional(
      Type.Boolean({
        description:
          "Grants only under the eyes of an automatic reviewer; there is none, so nothing is granted.",
      }),
    ),
  },
  { $id: "PermissionsRequestApprovalResponse", description: "What the model may do." },
);
export interface PermissionsRequestApprovalResponse
  extends Static<typeof PermissionsRequestApprovalResponse> {}

export const permissionMethods = [
  defineServerRequest({
    name: "item/permissions/requestApproval",
    summary:
      "Asks the user to grant permissions beyond the sandbox policy. Requires `features.request_permissions_tool`.",
    scope: "thread",
    params: PermissionsRequestApprovalParams,
    result: PermissionsRequestApprovalResponse,
  }),
];
