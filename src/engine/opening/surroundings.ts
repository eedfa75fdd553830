import type { ResponseItem, SandboxPolicy } from "../../protocol/types.js";
import type { Session } from "../session.js";
import { userMessage } from "./messages.js";

/** Where the model works, when, and on which files, as the newest versions say it. */
export function surroundingsMessage({ context, parts }: Session, now: number): ResponseItem {
  const { cwd, sandbox_policy } = context;
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const roots = `<workspace_roots><root>${cwd}</root></workspace_roots>`;
  return userMessage(
    [
      "<environment_context>",
      `  <cwd>${cwd}</cwd>`,
      ...(parts.shell === undefined ? [] : [`  <shell>${parts.shell}</shell>`]),
      `  <current_date>${localDate(now)}</current_date>`,
      `  <timezone>${timeZone}</timezone>`,
      `  <filesystem>${roots}${profileOf(sandbox_policy, cwd)}</filesystem>`,
      "</environment_context>",
    ].join("\n"),
  );
}

function localDate(now: number): string {
  const date = new Date(now);
  const [month, day] = [date.getMonth() + 1, date.getDate()];
  return `${date.getFullYear()}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`;
}

/** Which files commands can reach; not managed when nothing confines them here. */
function profileOf(policy: SandboxPolicy, cwd: string): string {
  if (policy.mode === "danger-full-access" || policy.mode === "external-sandbox") {
    const type = policy.mode === "external-sandbox" ? "external" : "disabled";
    return `<permission_profile type="${type}"><file_system type="unrestricted" /></permission_profile>`;
  }
  const roots = policy.mode === "workspace-write" ? [cwd, ...(policy.writable_roots ?? [])] : [];
  const entries = [
    '<entry access="read"><special>:root</special></entry>',
    ...roots.map((root) => `<entry access="write"><path>${root}</path></entry>`),
  ];
  return `<permission_profile type="managed"><file_system type="restricted">${entries.join("")}</file_system></permission_profile>`;
}
