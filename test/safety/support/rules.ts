import { writeHooks } from "../../support/hooks.js";
import type { SceneOptions } from "./scene.js";
import { passes, type ToolRow, toolRows } from "./tool-rows.js";

/** Something that a user or an administrator forbids. */
export interface Rule {
  title: string;
  scene: Omit<SceneOptions, "script">;
  /** Titles of the columns, one for each of `attempts`. */
  columns: readonly string[];
  /** Signs of calls that the rule does not concern. */
  permitted?: readonly string[];
  /** The calls that break it, by response of the model. */
  attempts: readonly (keyof Pick<ToolRow, "acts" | "reads" | "writes">)[];
}

const open = 'approval_policy = "never"\nsandbox_mode = "danger-full-access"';

/** No rule at all: every call has its effect. */
export const noRule: Rule = {
  title: "none",
  columns: [],
  scene: { settings: 'approval_policy = "on-request"\nsandbox_mode = "danger-full-access"' },
  attempts: ["acts"],
};

/** All rules of the matrix. */
export const rules: readonly Rule[] = [
  {
    title: "hook",
    columns: ["hook"],
    permitted: ["web search offered"],
    scene: {
      settings: open,
      furnish: (home) =>
        writeHooks(home, {
          PreToolUse: [
            {
              hooks: [
                {
                  type: "command",
                  command: `case $(cat) in *${passes}*) ;; *) echo no >&2; exit 2;; esac`,
                },
              ],
            },
          ],
        }),
    },
    attempts: ["acts"],
  },
  {
    title: "profile",
    columns: ["deny read", "deny write"],
    permitted: ["web search offered"],
    scene: {
      settings: 'approval_policy = "never"\ndefault_permissions = "work"',
      tables: `[permissions.work]
extends = ":workspace"
[permissions.work.filesystem.":workspace_roots"]
"secret.env" = "deny"
"secret.png" = "deny"
private = "deny"
"**/*.key" = "deny"`,
    },
    attempts: ["reads", "writes"],
  },
  {
    title: "requirements",
    columns: ["requirements"],
    permitted: [
      "image sent",
      "update_plan shown",
      "request_user_input_async shown",
      "request_user_input shown",
      "request_permissions shown",
      "client_tool shown",
    ],
    scene: {
      settings: 'approval_policy = "on-request"\nsandbox_mode = "danger-full-access"',
      requirements: `allowed_sandbox_modes = ["read-only"]
allowed_approval_policies = ["on-request"]
allowed_web_search_modes = []
[mcp_servers.other.identity]
command = "other"
[rules]
prefix_rules = [{ pattern = [{ token = "rm" }], decision = "forbidden", justification = "never" }]
`,
    },
    attempts: ["acts"],
  },
  {
    title: "required deny",
    columns: ["required deny"],
    permitted: ["web search offered"],
    scene: {
      settings: open,
      requirements: `[permissions.filesystem]
deny_read = ["WORKSPACE/secret.env", "WORKSPACE/secret.png", "WORKSPACE/private", "WORKSPACE/**/*.key"]
`,
    },
    attempts: ["reads"],
  },
];

/** Returns the calls of one response: those of all tools that have some. */
export function callsOf(attempt: Rule["attempts"][number]) {
  return toolRows.flatMap((row) => row[attempt] ?? []);
}
