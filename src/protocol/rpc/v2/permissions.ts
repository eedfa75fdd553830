import Type, { type Static } from "typebox";
import { PermissionGrantScope } from "../../approval.js";
import { described, Nullable, Nullish, taggedUnion } from "../../schema.js";
import { defineServerRequest } from "../declare.js";
import { requestPlace, startedAtMs } from "./common.js";

export { PermissionGrantScope } from "../../approval.js";

export const AdditionalNetworkPermissions = Type.Object(
  { enabled: Nullish(Type.Boolean(), { description: "Allows network access." }) },
  { $id: "AdditionalNetworkPermissions", description: "Network permissions." },
);
export interface AdditionalNetworkPermissions extends Static<typeof AdditionalNetworkPermissions> {}

export const FileSystemAccessMode = Type.Enum(["read", "write", "deny"], {
  $id: "FileSystemAccessMode",
  description: "Access to a path.",
});
/** Access to a path. */
export type FileSystemAccessMode = Static<typeof FileSystemAccessMode>;

export const NamedPath = Type.Object(
  {
    type: Type.Literal("path"),
    path: Type.String({ description: "Path, including everything below it." }),
  },
  { $id: "NamedPath", description: "A path." },
);
export interface NamedPath extends Static<typeof NamedPath> {}

export const PathPattern = Type.Object(
  {
    type: Type.Literal("glob_pattern"),
    pattern: Type.String({ description: "Glob pattern; never requested or granted here." }),
  },
  { $id: "PathPattern", description: "Paths that match a pattern." },
);
export interface PathPattern extends Static<typeof PathPattern> {}

export const SpecialPath = Type.Object(
  {
    type: Type.Literal("special"),
    value: Type.Unknown({ description: "Kind of path; never requested or granted here." }),
  },
  { $id: "SpecialPath", description: "A path by its purpose." },
);
export interface SpecialPath extends Static<typeof SpecialPath> {}

/** One or more paths. */
export type FileSystemPath = NamedPath | PathPattern | SpecialPath;
export const FileSystemPath = taggedUnion(
  "FileSystemPath",
  "type",
  [NamedPath, PathPattern, SpecialPath],
  "One or more paths.",
);

export const FileSystemSandboxEntry = Type.Object(
  {
    path: described(FileSystemPath, "Path."),
    access: described(FileSystemAccessMode, "Access."),
  },
  { $id: "FileSystemSandboxEntry", description: "A path and the access to it." },
);
export interface FileSystemSandboxEntry extends Static<typeof FileSystemSandboxEntry> {
  path: FileSystemPath;
}

export const AdditionalFileSystemPermissions = Type.Object(
  {
    read: Nullish(Type.Array(Type.String()), { description: "Readable paths." }),
    write: Nullish(Type.Array(Type.String()), { description: "Writable paths." }),
    globScanMaxDepth: Type.Optional(
      Type.Integer({ description: "Maximum depth of glob patterns; never requested here." }),
    ),
    entries: Type.Optional(
      Type.Array(FileSystemSandboxEntry, {
        description:
          "Permissions by path. In a response they take precedence over `read` and `write`.",
      }),
    ),
  },
  { $id: "AdditionalFileSystemPermissions", description: "File system permissions." },
);
export interface AdditionalFileSystemPermissions
  extends Static<typeof AdditionalFileSystemPermissions> {}

export const RequestPermissionProfile = Type.Object(
  {
    network: Nullable(AdditionalNetworkPermissions, { description: "Network permissions." }),
    fileSystem: Nullable(AdditionalFileSystemPermissions, {
      description: "File system permissions.",
    }),
  },
  {
    $id: "RequestPermissionProfile",
    description: "Requested permissions beyond the sandbox policy.",
  },
);
export interface RequestPermissionProfile extends Static<typeof RequestPermissionProfile> {}

export const GrantedPermissionProfile = Type.Object(
  {
    network: Nullish(AdditionalNetworkPermissions, { description: "Network permissions." }),
    fileSystem: Nullish(AdditionalFileSystemPermissions, {
      description: "File system permissions.",
    }),
  },
  {
    $id: "GrantedPermissionProfile",
    description: "Granted permissions beyond the sandbox policy.",
  },
);
export interface GrantedPermissionProfile extends Static<typeof GrantedPermissionProfile> {}

export const PermissionsRequestApprovalParams = Type.Object(
  {
    ...requestPlace,
    environmentId: Nullable(Type.String(), { description: "Always `local`." }),
    startedAtMs,
    cwd: Type.String({ description: "Working directory of the turn." }),
    reason: Nullable(Type.String(), { description: "Reason given by the model." }),
    permissions: described(RequestPermissionProfile, "Requested permissions."),
  },
  {
    $id: "PermissionsRequestApprovalParams",
    description: "Params of `item/permissions/requestApproval`.",
  },
);
export interface PermissionsRequestApprovalParams
  extends Static<typeof PermissionsRequestApprovalParams> {}

export const PermissionsRequestApprovalResponse = Type.Object(
  {
    permissions: described(
      GrantedPermissionProfile,
      "Granted permissions; empty to deny. Permissions that were not requested are ignored.",
    ),
    scope: described(
      Type.Optional(PermissionGrantScope),
      "Lifetime of the grant. Default: the turn.",
    ),
    strictAutoReview: Type.Optional(
      Type.Boolean({
        description:
          "Lets the automatic reviewer decide about every later command of this turn, also about those that " +
          "need no approval. With the scope `session` nothing is granted.",
      }),
    ),
  },
  {
    $id: "PermissionsRequestApprovalResponse",
    description: "Result of `item/permissions/requestApproval`.",
  },
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
