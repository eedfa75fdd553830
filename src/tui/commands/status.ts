import { permissionsText, shortHome } from "../lines/footer.js";
import { compactNumber } from "../text/numbers.js";
import type { RateLimitWindow } from "../wire.js";
import type { SlashCommand } from "./command.js";

/** `/status` */
export const status: SlashCommand = {
  name: "status",
  summary: "Show the settings, account and token usage of this session",
  isAlwaysReady: true,
  async run(context) {
    const { session, server, host, ui } = context;
    const { status } = session.conversation;
    const account = await server.request("account/read", {}).catch(() => undefined);
    const left = status.contextLeft();
    const lines: [string, string][] = [["", host.title]];
    const add = (label: string, value: string | undefined) => {
      if (value !== undefined && value !== "") lines.push([label, value]);
    };
    const { settings, usage, limits } = status;
    add(
      "model",
      settings &&
        [settings.model, settings.effort, settings.provider && `(${settings.provider})`]
          .filter(Boolean)
          .join(" "),
    );
    add("folder", settings && shortHome(settings.cwd));
    add("permissions", settings && permissionsText(settings));
    add("account", accountText(account?.account));
    add("session", [status.threadName, status.threadId].filter(Boolean).join(" · "));
    add(
      "tokens",
      usage &&
        `${compactNumber(usage.total.totalTokens)}: ${compactNumber(usage.total.inputTokens)} in (${compactNumber(usage.total.cachedInputTokens)} cached), ${compactNumber(usage.total.outputTokens)} out`,
    );
    add(
      "context",
      left === undefined
        ? undefined
        : `${left}% left of ${compactNumber(usage?.modelContextWindow ?? 0)}`,
    );
    add("limit", windowText(limits?.primary));
    add("limit", windowText(limits?.secondary));
    session.conversation.transcript.add({ kind: "banner", lines });
    ui.screen.requestRender();
  },
};

interface WireAccount {
  type: string;
  email?: string | null;
  planType?: string;
}

function accountText(account: WireAccount | null | undefined): string | undefined {
  if (account === undefined) return undefined;
  if (account === null) return "not signed in";
  if (account.type === "chatgpt")
    return [account.email, account.planType].filter(Boolean).join(", ");
  return account.type === "apiKey" ? "API key" : account.type;
}

function windowText(window: RateLimitWindow | null | undefined): string | undefined {
  if (!window) return undefined;
  const hours = window.windowDurationMins ? Math.round(window.windowDurationMins / 60) : undefined;
  const span =
    hours === undefined
      ? ""
      : hours >= 48
        ? ` of ${Math.round(hours / 24)} days`
        : ` of ${hours} h`;
  const renewed = window.resetsAt
    ? `, resets ${new Date(window.resetsAt * 1000).toLocaleString()}`
    : "";
  return `${Math.round(100 - window.usedPercent)}% left${span}${renewed}`;
}
