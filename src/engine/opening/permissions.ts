import type { AskForApproval, SandboxPolicy } from "../../protocol/types.js";

/** What the model is told of what it may do. */
export interface Permissions {
  approval_policy: AskForApproval;
  sandbox_policy: SandboxPolicy;
  cwd: string;
  /** It has a tool to ask for more. */
  canAskForMore: boolean;
}

/** The permissions as text between the tags by which programs find it. */
export function permissionsText(permissions: Permissions): string {
  const { approval_policy, sandbox_policy, cwd, canAskForMore } = permissions;
  const texts = [sandboxText(sandbox_policy, cwd), approvalTexts[approval_policy]];
  if (canAskForMore && approval_policy !== "never") texts.push(askingText);
  const text = texts.join("\n");
  return `<permissions instructions>${text}</permissions instructions>`;
}

function sandboxText(policy: SandboxPolicy, cwd: string): string {
  switch (policy.mode) {
    case "danger-full-access":
      return "Sandbox: none (`danger-full-access`). Commands may read and write every file and use the network.";
    case "read-only":
      return "Sandbox: `read-only`. Commands may read files; they cannot change any, and have no network.";
    case "external-sandbox":
      return "Sandbox: another program confines commands (`external-sandbox`). What it refuses stays refused.";
    default:
      return `Sandbox: \`${policy.mode}\`. Commands may read files, and change those below ${rootsOf(policy, cwd)}. ${networkText(policy)}`;
  }
}

function rootsOf(policy: SandboxPolicy, cwd: string): string {
  const more = "writable_roots" in policy ? (policy.writable_roots ?? []) : [];
  return [cwd, ...more].map((root) => `\`${root}\``).join(", ");
}

function networkText(policy: SandboxPolicy): string {
  const isOpen = "network_access" in policy && policy.network_access === true;
  return isOpen ? "They may use the network." : "They have no network.";
}

const askingText =
  "More permissions: before later commands or patches need the network, or files outside of these, ask for just that with `request_permissions`; the user decides.";

const approvalTexts: Record<AskForApproval, string> = {
  never:
    "Approvals: `never`. The user is not asked. What the sandbox refuses stays refused: find another way, and say so if there is none.",
  "on-request":
    'Approvals: `on-request`. Commands run in the sandbox. When one that the task needs must leave it, call it with `sandbox_permissions` set to "require_escalated" and say in `justification` why; the user decides.',
  "on-failure":
    "Approvals: `on-failure`. Commands run in the sandbox. Of one that the sandbox refuses, the user is asked whether it may run again without it.",
  untrusted:
    "Approvals: `untrusted`. The user is asked about every command that is not known to be harmless.",
};
