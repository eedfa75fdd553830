import Type, { type Static } from "typebox";

export const AddToHistoryOp = Type.Object(
  {
    type: Type.Literal("add_to_history"),
    text: Type.String({ description: "Text to store." }),
  },
  {
    $id: "AddToHistoryOp",
    description: "Appends a message to the history that all sessions share. No response.",
  },
);
export interface AddToHistoryOp extends Static<typeof AddToHistoryOp> {}

export const GetHistoryEntryRequestOp = Type.Object(
  {
    type: Type.Literal("get_history_entry_request"),
    offset: Type.Integer({ description: "Index of the entry, starting at 0." }),
    log_id: Type.Integer({ description: "`history_log_id` of `session_configured`." }),
  },
  {
    $id: "GetHistoryEntryRequestOp",
    description:
      "Requests an entry of the message history. Answered by `get_history_entry_response`.",
  },
);
export interface GetHistoryEntryRequestOp extends Static<typeof GetHistoryEntryRequestOp> {}

export const GetPathOp = Type.Object(
  { type: Type.Literal("get_path") },
  {
    $id: "GetPathOp",
    description: "Requests the path of the rollout file. Answered by `conversation_path`.",
  },
);
export interface GetPathOp extends Static<typeof GetPathOp> {}

export const ListMcpToolsOp = Type.Object(
  { type: Type.Literal("list_mcp_tools") },
  {
    $id: "ListMcpToolsOp",
    description: "Lists the tools of all MCP servers. Answered by `mcp_list_tools_response`.",
  },
);
export interface ListMcpToolsOp extends Static<typeof ListMcpToolsOp> {}

export const ListCustomPromptsOp = Type.Object(
  { type: Type.Literal("list_custom_prompts") },
  {
    $id: "ListCustomPromptsOp",
    description: "Lists the user's custom prompts. Answered by `list_custom_prompts_response`.",
  },
);
export interface ListCustomPromptsOp extends Static<typeof ListCustomPromptsOp> {}

export const ListSkillsOp = Type.Object(
  {
    type: Type.Literal("list_skills"),
    cwds: Type.Optional(
      Type.Array(Type.String(), {
        description: "Directories. Default: the session's working directory.",
      }),
    ),
    force_reload: Type.Optional(Type.Boolean({ description: "Bypasses the cache." })),
  },
  {
    $id: "ListSkillsOp",
    description: "Lists the skills of directories. Answered by `list_skills_response`.",
  },
);
export interface ListSkillsOp extends Static<typeof ListSkillsOp> {}

export const ListBackgroundCommandsOp = Type.Object(
  { type: Type.Literal("list_background_commands") },
  {
    $id: "ListBackgroundCommandsOp",
    description:
      "Lists the commands of the model that are still running. Answered by `background_commands`.",
  },
);
export interface ListBackgroundCommandsOp extends Static<typeof ListBackgroundCommandsOp> {}

export const EndBackgroundCommandsOp = Type.Object(
  {
    type: Type.Literal("end_background_commands"),
    process_id: Type.Optional(
      Type.String({ description: "Process to end. Default: all of the session." }),
    ),
  },
  {
    $id: "EndBackgroundCommandsOp",
    description: "Ends commands that are still running. Answered by `background_commands_ended`.",
  },
);
export interface EndBackgroundCommandsOp extends Static<typeof EndBackgroundCommandsOp> {}

export const HoldTimeLimitsOp = Type.Object(
  {
    type: Type.Literal("hold_time_limits"),
    held: Type.Boolean({ description: "True to stop the clock, false to let it continue." }),
  },
  {
    $id: "HoldTimeLimitsOp",
    description:
      "Stops the clock of tool calls that wait for a command, as long as a client asks the user something.",
  },
);
export interface HoldTimeLimitsOp extends Static<typeof HoldTimeLimitsOp> {}
