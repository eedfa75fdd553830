import { type PermissionPreset, permissionPresets } from "../../protocol/permission-presets.js";
import { permissionsText } from "../lines/footer.js";
import type { CommandContext, SlashCommand } from "./command.js";

/** `/permissions` */
export const permissions: SlashCommand = {
  name: "permissions",
  aliases: ["approvals"],
  summary: "Choose what is allowed without approval",
  async run(context) {
    const { ui, session } = context;
    const now = session.conversation.status.settings;
    const isNow = ({ approval, sandbox }: PermissionPreset) =>
      approval === now?.approval && sandbox === now?.sandbox;
    const chosen = await ui.pick({
      title: "What is allowed without approval?",
      ...(now === undefined ? {} : { text: `Current: ${permissionsText(now)}` }),
      choices: permissionPresets.map((preset) => ({
        value: preset,
        label: preset.label,
        description: preset.description,
      })),
      selected: Math.max(0, permissionPresets.findIndex(isNow)),
    });
    if (chosen === undefined) return;
    const { approval, sandbox, policy } = chosen;
    const isRisky = sandbox === "danger-full-access";
    if (isRisky && !isNow(chosen) && !(await confirmFullAccess(context))) return;
    session.override({ approvalPolicy: approval, sandboxPolicy: policy });
    const text = `Permissions from the next turn on: ${permissionsText({ approval, sandbox })}`;
    session.conversation.transcript.notice({ level: isRisky ? "warning" : "info", text });
    ui.screen.requestRender();
  },
};

/** Confirms before disabling the sandbox and approvals. */
async function confirmFullAccess({ ui }: CommandContext): Promise<boolean> {
  const answer = await ui.pick({
    title: "Enable full access?",
    isWarning: true,
    text: "Commands run without a sandbox and without approval. The agent can change or delete any file you can, and send data over the network. Mistakes and malicious text in files or web pages take effect at once.",
    choices: [
      { value: false, label: "No, keep the current permissions" },
      { value: true, label: "Yes, enable full access for this session" },
    ],
  });
  return answer === true;
}
