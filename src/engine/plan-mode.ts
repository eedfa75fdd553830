import type { Era } from "../compat/index.js";
import type { PermissionRules } from "../protocol/permission-rules.js";
import type { TurnContext } from "./turn-context.js";

/**
 * Returns the settings under which a turn works: in plan mode nothing may be changed.
 *
 * Commands run in a read-only sandbox without the network, and no approval, grant or rule widens it. The
 * settings of the session stay as they are and hold again after plan mode. Until 0.166 plan mode was only
 * an instruction.
 */
export function workingContext(context: TurnContext, { since }: Pick<Era, "since">): TurnContext {
  if (context.collaboration_mode?.mode !== "plan" || !since.current) return context;
  const { permissions, approval_policy } = context;
  return {
    ...context,
    // There is nothing to approve, except for users who approve every command.
    approval_policy: approval_policy === "untrusted" ? "untrusted" : "never",
    sandbox_policy: { mode: "read-only" },
    ...(permissions && { permissions: readOnlyRules(permissions) }),
    isConfined: true,
  };
}

/** Returns rules without writing and network; what cannot be read stays so. */
export function readOnlyRules({ id: _, base, files, ...others }: PermissionRules): PermissionRules {
  const root = { place: { type: "special", name: "root" }, access: "read" } as const;
  const readable = files.map((rule) =>
    rule.access === "write" ? { ...rule, access: "read" as const } : rule,
  );
  return {
    ...others,
    base: "restricted",
    files: base === "unrestricted" ? [root, ...readable] : readable,
    network: { enabled: false },
  };
}
