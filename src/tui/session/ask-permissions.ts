import type { Asked } from "../server.js";
import { hang } from "../text/layout.js";
import { reveal } from "../text/sanitize.js";
import type { QuestionParts } from "./questions.js";

/** Whether the agent may do more than it was allowed. */
export interface PermissionsQuestion {
  reason?: string | null;
  cwd?: string;
  permissions: { network?: object | null; fileSystem?: object | null };
}

/** Asks for more permissions; what is granted is what was asked for, or nothing. */
export async function askPermissions(
  { reason, permissions }: PermissionsQuestion,
  { signal }: Asked,
  { ui }: QuestionParts,
): Promise<unknown> {
  const answer = await ui.approval(
    {
      title: "May it have these permissions?",
      reason: reason ?? undefined,
      body: ({ width }) => hang(reveal(JSON.stringify(permissions, null, 2)), width, "    "),
      answers: [{ answer: "once" }, { answer: "session" }, { answer: "decline" }],
    },
    signal,
  );
  if (answer !== "once" && answer !== "session") return { permissions: {}, scope: "turn" };
  const { network, fileSystem } = permissions;
  return {
    permissions: { ...(network ? { network } : {}), ...(fileSystem ? { fileSystem } : {}) },
    scope: answer === "session" ? "session" : "turn",
  };
}
