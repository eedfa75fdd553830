import { CodexError } from "../../protocol/error.js";
import type { V2Handlers } from "../connection.js";

/**
 * Creates the handlers of methods that list resources of the vendor's service: the lists are empty.
 *
 * Methods that would change something there are rejected, see `unsupported`.
 */
export function createAbsentHandlers() {
  const noPage = () => ({ data: [], nextCursor: null });
  const noPlugins = { marketplaces: [], marketplaceLoadErrors: [] };
  return {
    "app/list": noPage,
    "app/installed": () => ({ apps: [] }),
    "plugin/list": () => ({ ...noPlugins, featuredPluginIds: [] }),
    "plugin/installed": () => noPlugins,
    "plugin/share/list": () => ({ data: [] }),
    "account/bedrock/checkGovCloudRequirements": () => ({ isGovCloud: false, shouldWarn: false }),
    "account/workspaceMessages/read": () => ({ featureEnabled: false, messages: [] }),
    "account/gatewayOAuth/read": async (_, { server }) => {
      const { provider } = await server.config();
      const { id: providerId, name: providerName } = provider;
      return { providerId, providerName, required: false, status: null, error: null };
    },
    "windowsSandbox/readiness": () => ({ status: "notConfigured" as const }),
    "memory/status": (_, { server }) => ({
      v2ConsolidatedThreads: 0,
      v2Ready: !server.parts.era.since.current,
    }),
    "memory/reset": () => ({}),
    "thread/memory/read": ({ threadId }, connection) => {
      connection.thread(threadId);
      return { summary: null };
    },
    "thread/memoryMode/set": ({ threadId, mode }, connection) => {
      connection.thread(threadId);
      if (mode === "disabled") return {};
      const reason = "Threads are not summarized for later ones; use AGENTS.md";
      throw new CodexError(
        "invalid_request",
        `\`mode\` must be "disabled" (got "${mode}"). ${reason}`,
      );
    },
    "accountSession/list": () => ({ activeSessionId: null, sessions: [] }),
    "userVerification/status": () => ({
      credentialId: null,
      unavailableReason: "providerUnavailable" as const,
      unavailableMessage: "User verification needs the vendor account, which is not used here.",
    }),
    "mock/experimentalMethod": ({ value = null }) => ({ echoed: value }),
  } satisfies Partial<V2Handlers>;
}
