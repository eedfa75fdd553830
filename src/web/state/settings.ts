import { signal } from "@preact/signals";
import type { ParamsOf } from "../../client/index.js";
import type { SandboxPolicy } from "../../protocol/rpc/v2/policy.js";
import { request } from "./app.js";
import type { ConfiguredSettings } from "./configured.js";
import type { ThreadView, ViewSettings } from "./thread-view.js";

/** Permissions that a user can choose from. */
export const permissionChoices = [
  { id: "read", name: "Read only", sandbox: "read-only", type: "readOnly", asks: "on-request" },
  {
    id: "write",
    name: "Workspace, ask first",
    sandbox: "workspace-write",
    type: "workspaceWrite",
    asks: "on-request",
  },
  {
    id: "full",
    name: "Full access",
    sandbox: "danger-full-access",
    type: "dangerFullAccess",
    asks: "never",
  },
] as const;

/** Id of a choice of permissions. */
export type PermissionId = (typeof permissionChoices)[number]["id"];

/** Reasoning effort of a model. */
export type Effort = NonNullable<ViewSettings["reasoningEffort"]>;

/** Settings of the next new thread; unset ones come from the config. */
export const draftSettings = signal<{
  model?: string;
  effort?: Effort;
  permissions?: PermissionId;
  isPlanning?: boolean;
}>({});

/** Returns the params that start a thread. */
export function nextSettings(): ParamsOf<"thread/start"> {
  const { model, effort, permissions } = draftSettings.value;
  const choice = permissionChoices.find(({ id }) => id === permissions);
  return {
    ...(model === undefined ? {} : { model }),
    ...(effort === undefined ? {} : { config: { model_reasoning_effort: effort } }),
    ...(choice === undefined ? {} : { approvalPolicy: choice.asks, sandbox: choice.sandbox }),
  };
}

/** Changes settings of the open thread, or of the next new one. */
export async function changeSettings(
  view: ThreadView | undefined,
  change: { model?: string; effort?: Effort; permissions?: PermissionId },
): Promise<void> {
  if (view === undefined) {
    draftSettings.value = { ...draftSettings.value, ...change };
    return;
  }
  const { permissions, ...others } = change;
  const choice = permissionChoices.find(({ id }) => id === permissions);
  await request("thread/settings/update", {
    threadId: view.id,
    ...others,
    ...(choice === undefined
      ? {}
      : { approvalPolicy: choice.asks, sandboxPolicy: { type: choice.type } as SandboxPolicy }),
  });
}

/** Switches plan mode: the model asks and plans instead of changing files. */
export async function switchPlanMode(view: ThreadView | undefined): Promise<void> {
  if (view === undefined) {
    const { isPlanning = false, ...others } = draftSettings.value;
    draftSettings.value = { ...others, isPlanning: !isPlanning };
    return;
  }
  const { isPlanning = false, model, reasoningEffort = null } = view.settings.value ?? {};
  await request("thread/settings/update", {
    threadId: view.id,
    collaborationMode: {
      mode: isPlanning ? "default" : "plan",
      settings: {
        ...(model === undefined ? {} : { model }),
        reasoning_effort: reasoningEffort,
        developer_instructions: null,
      },
    },
  });
}

/** Returns the choice that the settings of a thread correspond to; undefined for any other. */
export function permissionsOf({
  approvalPolicy,
  sandbox,
}: Pick<ViewSettings, "approvalPolicy" | "sandbox">): PermissionId | undefined {
  return permissionChoices.find(
    ({ type, asks }) => type === sandbox.type && asks === approvalPolicy,
  )?.id;
}

/** Returns the choice that the config sets for new threads; undefined for any other. */
export function permissionsOfConfig({
  approvalPolicy,
  sandbox,
}: ConfiguredSettings): PermissionId | undefined {
  return permissionChoices.find((one) => one.sandbox === sandbox && one.asks === approvalPolicy)
    ?.id;
}

/** Describes permissions of the config that are none of the choices; undefined if it sets none. */
export function configuredText({
  approvalPolicy,
  sandbox,
}: ConfiguredSettings): string | undefined {
  const type = configuredSandboxes[sandbox ?? ""];
  const asks = askWords[approvalPolicy as keyof typeof askWords];
  const words = [type === undefined ? undefined : sandboxWords[type], asks];
  return words.filter((text) => text !== undefined).join(", ") || undefined;
}

const configuredSandboxes: Readonly<Record<string, keyof typeof sandboxWords>> = {
  "read-only": "readOnly",
  "workspace-write": "workspaceWrite",
  "danger-full-access": "dangerFullAccess",
};

/** Describes permissions that are none of the choices. */
export function permissionsText({
  approvalPolicy,
  sandbox,
}: Pick<ViewSettings, "approvalPolicy" | "sandbox">): string {
  const asks = typeof approvalPolicy === "string" ? askWords[approvalPolicy] : "asks by rules";
  return `${sandboxWords[sandbox.type]}, ${asks}`;
}

const sandboxWords = {
  readOnly: "Read only",
  workspaceWrite: "Workspace",
  dangerFullAccess: "No sandbox",
  externalSandbox: "External sandbox",
};
const askWords = {
  untrusted: "asks unless trusted",
  "on-request": "asks if needed",
  "on-failure": "asks after failures",
  never: "never asks",
};
