import type { SessionMode, SessionModeState } from "@agentclientprotocol/sdk";
import { permissionPresets } from "../../protocol/permission-presets.js";
import type { ConfigRequirements } from "../../protocol/rpc/v2/config-requirements.js";
import type { SandboxPolicy } from "../../protocol/rpc/v2/policy.js";
import type { ThreadSettingsUpdateParams } from "../../protocol/rpc/v2/thread-settings.js";
import { invalidParams } from "./errors.js";
import type { SessionSettings } from "./settings.js";

type Restrictions = Pick<ConfigRequirements, "allowedApprovalPolicies" | "allowedSandboxModes">;
type Change = Omit<ThreadSettingsUpdateParams, "threadId">;

/**
 * Modes of a session: the choices of permissions, and plan mode.
 *
 * Permissions of the config that are none of the choices are the mode `custom`.
 */
export class Modes {
  /** Settings with which the session was opened. */
  readonly #opened: SessionSettings;
  readonly #modes: SessionMode[];

  constructor(opened: SessionSettings, restrictions: Restrictions | null) {
    this.#opened = opened;
    const presets = permissionPresets.filter((preset) => {
      const { allowedApprovalPolicies: approvals, allowedSandboxModes: sandboxes } =
        restrictions ?? {};
      const isAllowed = (list: readonly string[] | null | undefined, value: string) =>
        list == null || list.includes(value);
      return isAllowed(approvals, preset.approval) && isAllowed(sandboxes, preset.sandbox);
    });
    const named = presets.map(({ id, label: name, description }) => ({ id, name, description }));
    this.#modes = [...named, planMode, ...(permissionsOf(opened) === "custom" ? [customMode] : [])];
  }

  state(settings: SessionSettings): SessionModeState {
    const currentModeId = currentMode(settings);
    const isListed = this.#modes.some(({ id }) => id === currentModeId);
    const availableModes = isListed ? this.#modes : [...this.#modes, customMode];
    return { currentModeId: isListed ? currentModeId : customMode.id, availableModes };
  }

  /** Returns the settings of a mode; throws if there is no such mode. */
  settingsOf(modeId: string, current: SessionSettings): Change {
    if (!this.#modes.some(({ id }) => id === modeId)) {
      const known = this.#modes.map(({ id }) => JSON.stringify(id)).join(", ");
      throw invalidParams(
        `Expected \`modeId\` to be one of ${known} (got ${JSON.stringify(modeId)})`,
      );
    }
    if (modeId === planMode.id) return { collaborationMode: modeSettings("plan", current) };
    const collaborationMode = modeSettings("default", current);
    if (modeId === customMode.id) return { ...this.#customPermissions(), collaborationMode };
    const preset = permissionPresets.find(({ id }) => id === modeId);
    if (preset === undefined) return { collaborationMode };
    const { approval: approvalPolicy, policy } = preset;
    return { approvalPolicy, sandboxPolicy: this.#policyLike(policy), collaborationMode };
  }

  #customPermissions(): Change {
    const { approvalPolicy, sandbox, profile } = this.#opened;
    return { approvalPolicy, ...(profile ? { permissions: profile } : { sandboxPolicy: sandbox }) };
  }

  /** The writable folders and the network access of the config count in this mode, too. */
  #policyLike(policy: SandboxPolicy): SandboxPolicy {
    const { sandbox, directories } = this.#opened;
    if (sandbox.type === policy.type) return sandbox;
    return policy.type === "workspaceWrite" ? { ...policy, writableRoots: directories } : policy;
  }
}

const planMode: SessionMode = {
  id: "plan",
  name: "Plan",
  description: "Plan the task before working on it, with the same permissions",
};

const customMode: SessionMode = {
  id: "custom",
  name: "Custom",
  description: "Permissions of the configuration",
};

function currentMode(settings: SessionSettings): string {
  return settings.mode === "plan" ? planMode.id : permissionsOf(settings);
}

function permissionsOf({ approvalPolicy, sandbox, profile }: SessionSettings): string {
  const preset = permissionPresets.find(
    ({ approval, policy }) => approval === approvalPolicy && policy.type === sandbox.type,
  );
  return preset === undefined || (profile && !builtIn.test(profile)) ? customMode.id : preset.id;
}

/** Profiles of the program itself are the same as a sandbox mode. */
const builtIn = /^:/;

function modeSettings(mode: "default" | "plan", { model, effort }: SessionSettings) {
  return {
    mode,
    settings: { model, reasoning_effort: effort, developer_instructions: null },
  };
}
