import type { MethodSink } from "../../jsonrpc/index.js";
import {
  accountBedrockCheckGovCloudRequirements,
  accountGatewayOAuthRead,
  accountWorkspaceMessagesRead,
  appInstalled,
  appList,
  externalAgentConfigDetect,
  externalAgentConfigImportReadHistories,
  memoryStatus,
  pluginInstalled,
  pluginList,
  pluginShareList,
  projectList,
  threadAttachmentList,
  threadAttachmentOwnerList,
  threadSectionList,
  windowsSandboxReadiness,
} from "../../protocol/rpc/v2/methods.generated.js";
import type { V2Connection } from "./connection.js";

/**
 * The methods that list what only the vendor's service has: the lists are empty.
 *
 * What would do something there is refused, see `unsupported`.
 */
export function addAbsentMethods(methods: MethodSink<V2Connection>): void {
  const noPage = () => ({ data: [], nextCursor: null });
  const noPlugins = { marketplaces: [], marketplaceLoadErrors: [] };
  methods
    .on(appList, noPage)
    .on(threadSectionList, noPage)
    .on(projectList, noPage)
    .on(threadAttachmentList, noPage)
    .on(threadAttachmentOwnerList, noPage)
    .on(appInstalled, () => ({ apps: [] }))
    .on(pluginList, () => ({ ...noPlugins, featuredPluginIds: [] }))
    .on(pluginInstalled, () => noPlugins)
    .on(pluginShareList, () => ({ data: [] }))
    .on(accountBedrockCheckGovCloudRequirements, () => ({ isGovCloud: false, shouldWarn: false }))
    .on(accountWorkspaceMessagesRead, () => ({ featureEnabled: false, messages: [] }))
    .on(accountGatewayOAuthRead, async (_, { server }) => {
      const { provider } = await server.config();
      const { id: providerId, name: providerName } = provider;
      return { providerId, providerName, required: false, status: null, error: null };
    })
    .on(externalAgentConfigDetect, () => ({ items: [], connectors: [] }))
    .on(externalAgentConfigImportReadHistories, () => ({ data: [], connectors: [] }))
    .on(windowsSandboxReadiness, () => ({ status: "notConfigured" as const }))
    .on(memoryStatus, () => ({ v2ConsolidatedThreads: 0, v2Ready: false }));
}
