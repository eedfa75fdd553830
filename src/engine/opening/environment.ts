import type { AskForApproval, ResponseItem, SandboxPolicy } from "../../protocol/types.js";
import { userMessage } from "./messages.js";

/** What the model is told about where it works; what is absent is left out of the text. */
export interface EnvironmentContext {
  cwd?: string;
  approval_policy?: AskForApproval;
  sandbox_policy?: SandboxPolicy;
  /** The user's shell by its bare name. */
  shell?: string;
}

/** The environment as the message that stands in front of the conversation. */
export function environmentMessage(environment: EnvironmentContext): ResponseItem {
  return userMessage(environmentText(environment));
}

/** The environment as text: one line a fact, in a fixed order. */
export function environmentText(environment: EnvironmentContext): string {
  const lines = [
    ...element("cwd", environment.cwd),
    ...element("approval_policy", environment.approval_policy),
    ...sandboxLines(environment.sandbox_policy),
    ...element("shell", environment.shell),
  ];
  return ["<environment_context>", ...lines, "</environment_context>"].join("\n");
}

/** Whether two environments differ in something the model must be told; the shell is told once. */
export function environmentDiffers(a: EnvironmentContext, b: EnvironmentContext): boolean {
  return environmentText({ ...a, shell: "" }) !== environmentText({ ...b, shell: "" });
}

function sandboxLines(policy: SandboxPolicy | undefined): string[] {
  if (policy === undefined) return [];
  return [
    ...element("sandbox_mode", policy.mode),
    ...element("network_access", hasNetwork(policy) ? "enabled" : "restricted"),
    ...rootLines(policy),
  ];
}

function rootLines(policy: SandboxPolicy): string[] {
  const roots = policy.mode === "workspace-write" ? (policy.writable_roots ?? []) : [];
  if (roots.length === 0) return [];
  const lines = roots.map((root) => `    <root>${root}</root>`);
  return ["  <writable_roots>", ...lines, "  </writable_roots>"];
}

function hasNetwork(policy: SandboxPolicy): boolean {
  if (policy.mode === "danger-full-access") return true;
  return policy.mode === "workspace-write" && policy.network_access === true;
}

function element(name: string, value: string | undefined): string[] {
  return value === undefined || value === "" ? [] : [`  <${name}>${value}</${name}>`];
}
