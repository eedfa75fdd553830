import type { SandboxPolicy } from "../../protocol/rpc/v2/policy.js";
import { permissionsText } from "../lines/footer.js";
import type { SlashCommand } from "./command.js";
import { say } from "./notices.js";

interface Preset {
  label: string;
  description: string;
  approval: "on-request" | "never";
  sandbox: string;
  policy: SandboxPolicy;
}

const presets: readonly Preset[] = [
  {
    label: "Read only",
    description: "Reads files; asks before it edits files or runs other commands",
    approval: "on-request",
    sandbox: "read-only",
    policy: { type: "readOnly", networkAccess: false },
  },
  {
    label: "Auto",
    description: "Edits files in this folder and runs commands in the sandbox; asks for more",
    approval: "on-request",
    sandbox: "workspace-write",
    policy: {
      type: "workspaceWrite",
      writableRoots: [],
      networkAccess: false,
      excludeTmpdirEnvVar: false,
      excludeSlashTmp: false,
    },
  },
  {
    label: "Full access",
    description: "No sandbox, no approvals, full network access",
    approval: "never",
    sandbox: "danger-full-access",
    policy: { type: "dangerFullAccess" },
  },
];

/** Chooses what may be done without asking. */
export const permissions: SlashCommand = {
  name: "permissions",
  aliases: ["approvals"],
  summary: "Choose what is allowed without approval",
  async run(context) {
    const { ui, session } = context;
    const now = session.conversation.status.settings;
    const isNow = ({ approval, sandbox }: Preset) =>
      approval === now?.approval && sandbox === now?.sandbox;
    const chosen = await ui.pick({
      title: "What is allowed without approval?",
      ...(now === undefined ? {} : { text: `Current: ${permissionsText(now)}` }),
      choices: presets.map((preset) => ({
        value: preset,
        label: preset.label,
        description: preset.description,
      })),
      selected: Math.max(0, presets.findIndex(isNow)),
    });
    if (chosen === undefined) return;
    const { approval, sandbox, policy } = chosen;
    session.override({ approvalPolicy: approval, sandboxPolicy: policy });
    say(context, `Permissions from the next turn on: ${permissionsText({ approval, sandbox })}`);
  },
};
