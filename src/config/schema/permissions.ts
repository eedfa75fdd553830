import Type, { type Static } from "typebox";
import { Count, setting } from "./setting.js";

/** Access to files; `none` is the older name of `deny`. */
const Access = Type.Enum(["read", "write", "deny", "none"]);

const FilesystemToml = Type.Object(
  {
    glob_scan_max_depth: setting(Count({ minimum: 1 }), {
      text: "Depth to which globs are searched for files to deny.",
      since: "0.166",
      project: true,
    }),
  },
  {
    $id: "FilesystemToml",
    description:
      "Access by place: an absolute path, `~/PATH`, `:root`, `:minimal`, `:workspace_roots`, `:tmpdir` or " +
      "`:slash_tmp`. The value is `read`, `write` or `deny`, or a table of these by path or glob below " +
      "the place.",
    additionalProperties: Type.Union([Access, Type.Record(Type.String(), Access)]),
  },
);

const NetworkToml = Type.Object(
  {
    enabled: setting(Type.Boolean(), {
      text: "Allows commands to use the network.",
      since: "0.166",
      project: true,
    }),
    domains: setting(Type.Record(Type.String(), Type.Enum(["allow", "deny"])), {
      text:
        "Domains by pattern: `example.org`, `*.example.org` for its subdomains, `**.example.org` for both, " +
        "`*` for all. With one `allow`, all others are denied.",
      since: "0.166",
      project: true,
    }),
  },
  { $id: "NetworkToml", description: "Network access of commands." },
);

const PermissionProfileToml = Type.Object(
  {
    description: setting(Type.String(), {
      text: "Description for clients that list profiles.",
      since: "0.166",
      project: true,
    }),
    extends: setting(Type.String(), {
      text:
        "Parent: another profile, `:read-only`, `:workspace` or `:danger-full-access`. The profile's own " +
        "entries replace those of its parent.",
      since: "0.166",
      project: true,
    }),
    workspace_roots: setting(Type.Record(Type.String(), Type.Boolean()), {
      text: "Workspace roots besides the working directory, by path; false removes one of the parent.",
      since: "0.166",
      project: true,
    }),
    filesystem: setting(FilesystemToml, {
      text: "Access to files.",
      since: "0.166",
      project: true,
    }),
    network: setting(NetworkToml, {
      text: "Access to the network.",
      since: "0.166",
      project: true,
    }),
  },
  { $id: "PermissionProfileToml", description: "A permission profile." },
);
export interface PermissionProfileToml
  extends Omit<Static<typeof PermissionProfileToml>, "filesystem"> {
  filesystem?: FilesystemToml;
}

type AccessWord = Static<typeof Access>;

/** Access by place, besides `glob_scan_max_depth`. */
export type FilesystemToml = Partial<
  Record<string, AccessWord | Readonly<Record<string, AccessWord>> | number>
> & { glob_scan_max_depth?: number };

/** Permission profiles. */
export const permissionKeys = {
  default_permissions: setting(Type.String(), {
    text:
      "Permission profile, instead of `sandbox_mode`: `:read-only`, `:workspace`, " +
      "`:danger-full-access`, or one of `permissions`. A project's profile never allows more than yours.",
    since: "0.166",
    project: true,
    flag: {
      name: "--permissions",
      short: "P",
      value: "NAME",
      group: "permissions",
      help: "Use a permission profile: [permissions.NAME] or a built-in one",
    },
  }),
  permissions: setting(Type.Record(Type.String(), PermissionProfileToml), {
    text: "Permission profiles by name; an unknown key in one is an error. See docs/permissions.md.",
    since: "0.166",
    project: true,
    strict: true,
  }),
};
