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
    description: "It may read; it asks before it changes a file or runs anything else",
    approval: "on-request",
    sandbox: "read-only",
    policy: { type: "readOnly", networkAccess: false },
  },
  {
    label: "Auto",
    description: "It may change files here and run commands in the sandbox; it asks for more",
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
    description: "It may do all that you may, without asking: only where nothing can be lost",
    approval: "never",
    sandbox: "danger-full-access",
    policy: { type: "dangerFullAccess" },
  },
];

/** Chooses what may be done without asking. */
export const permissions: SlashCommand = {
  name: "permissions",
  aliases: ["approvals"],
  summary: "Choose what it may do without asking",
  async run(context) {
    const { ui, session } = context;
    const now = session.conversation.status.settings;
    const isNow = ({ approval, sandbox }: Preset) =>
      approval === now?.approval && sandbox === now?.sandbox;
    const chosen = await ui.pick({
      title: "What may it do without asking?",
      ...(now === undefined ? {} : { text: `Now: ${permissionsText(now)}` }),
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
    say(context, `From the next turn on: ${permissionsText({ approval, sandbox })}`);
  },
};
