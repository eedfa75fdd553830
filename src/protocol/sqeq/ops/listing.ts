import Type, { type Static } from "typebox";

export const AddToHistoryOp = Type.Object(
  {
    type: Type.Literal("add_to_history"),
    text: Type.String({ description: "What to remember." }),
  },
  {
    $id: "AddToHistoryOp",
    description: "Appends to the message history all sessions share; there is no answer.",
  },
);
export interface AddToHistoryOp extends Static<typeof AddToHistoryOp> {}

export const GetHistoryEntryRequestOp = Type.Object(
  {
    type: Type.Literal("get_history_entry_request"),
    offset: Type.Integer({ description: "Which entry, counted from 0." }),
    log_id: Type.Integer({ description: "The `history_log_id` of `session_configured`." }),
  },
  {
    $id: "GetHistoryEntryRequestOp",
    description:
      "Asks for one entry of the message history; answered by `get_history_entry_response`.",
  },
);
export interface GetHistoryEntryRequestOp extends Static<typeof GetHistoryEntryRequestOp> {}

export const GetPathOp = Type.Object(
  { type: Type.Literal("get_path") },
  {
    $id: "GetPathOp",
    description: "Asks where the rollout file is; answered by `conversation_path`.",
  },
);
export interface GetPathOp extends Static<typeof GetPathOp> {}

export const ListMcpToolsOp = Type.Object(
  { type: Type.Literal("list_mcp_tools") },
  {
    $id: "ListMcpToolsOp",
    description: "Asks for the tools of all MCP servers; answered by `mcp_list_tools_response`.",
  },
);
export interface ListMcpToolsOp extends Static<typeof ListMcpToolsOp> {}

export const ListCustomPromptsOp = Type.Object(
  { type: Type.Literal("list_custom_prompts") },
  {
    $id: "ListCustomPromptsOp",
    description: "Asks for the user's prompts; answered by `list_custom_prompts_response`.",
  },
);
export interface ListCustomPromptsOp extends Static<typeof ListCustomPromptsOp> {}

export const ListSkillsOp = Type.Object(
  {
    type: Type.Literal("list_skills"),
    cwds: Type.Optional(
      Type.Array(Type.String(), { description: "The directories; the session's if none." }),
    ),
    force_reload: Type.Optional(
      Type.Boolean({ description: "Reads the files again, even if they are known." }),
    ),
  },
  {
    $id: "ListSkillsOp",
    description: "Asks for the skills of some directories; answered by `list_skills_response`.",
  },
);
export interface ListSkillsOp extends Static<typeof ListSkillsOp> {}
