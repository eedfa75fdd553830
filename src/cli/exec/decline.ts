import { RpcError, rpcCodes, type ServerRequestHandlers } from "../../client/index.js";
import { permissionLines } from "../../protocol/permissions-text.js";

/** What is told when something was asked that nobody can answer. */
export type OnDeclined = (what: string) => void;

/** Answers what the server asks in place of a user who is not there: always no, with the reason told. */
export function declineAll(onDeclined: OnDeclined): ServerRequestHandlers {
  return {
    "item/commandExecution/requestApproval": ({ command, reason }) => {
      onDeclined(`the command \`${command ?? "?"}\`${because(reason)}`);
      return { decision: "decline" };
    },
    "item/fileChange/requestApproval": ({ reason, grantRoot }) => {
      onDeclined(`a change of files${grantRoot ? ` in ${grantRoot}` : ""}${because(reason)}`);
      return { decision: "decline" };
    },
    "item/permissions/requestApproval": ({ permissions, reason }) => {
      onDeclined(
        `more permissions: to ${permissionLines(permissions).join(", ")}${because(reason)}`,
      );
      return { permissions: {}, scope: "turn" };
    },
    "mcpServer/elicitation/request": ({ serverName, message }) => {
      onDeclined(`a question of the MCP server ${serverName}: ${message}`);
      return { action: "decline", content: null, _meta: null };
    },
    "item/tool/requestUserInput": () => {
      onDeclined("a question of the model");
      throw new RpcError(rpcCodes.internal, "Nobody is there to answer questions");
    },
  };
}

function because(reason: string | null | undefined): string {
  return reason ? ` (${reason})` : "";
}
