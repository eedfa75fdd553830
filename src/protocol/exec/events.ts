import Type, { type TObject, type TProperties } from "typebox";
import { allSince, described, since, taggedUnion } from "../schema.js";

// Events of `exec --json` and the SDK. `npm run generate` writes their types to
// `src/client/thread-events/event.generated.ts`.

const id = Type.String({ description: "The id of the item within the thread." });
const text = (description: string) => Type.String({ description });
const count = (description: string) => Type.Integer({ description });
const state = (description: string) =>
  Type.Enum(["in_progress", "completed", "failed"], { description });

/** Declares an item; `first` dates all of its fields. */
function item(
  name: string,
  type: string,
  description: string,
  fields: TProperties,
  first?: "0.166",
): TObject {
  const kind = Type.Literal(type, { description: "The kind of item." });
  const properties = { id, type: kind, ...fields };
  const dated = first === undefined ? properties : allSince(first, properties);
  return Type.Object(dated, { $id: name, description });
}

const AgentMessageItem = item(
  "AgentMessageItem",
  "agent_message",
  "A message of the model: text, or JSON if the turn has an `outputSchema`.",
  { text: text("The whole message.") },
);

const ReasoningItem = item("ReasoningItem", "reasoning", "A summary of the model's reasoning.", {
  text: text("The summary."),
});

const CommandExecutionItem = item(
  "CommandExecutionItem",
  "command_execution",
  "A command that the model runs.",
  {
    command: text("The command line."),
    aggregated_output: text("Its output so far: standard output and standard error together."),
    exit_code: Type.Union([Type.Integer(), Type.Null()], {
      description: "Its exit code; null while it runs.",
    }),
    status: Type.Enum(["in_progress", "completed", "failed", "declined"], {
      description: "The state of the command; `declined` if it was not approved.",
    }),
  },
);

const FileUpdateChange = Type.Object(
  {
    path: text("The path of the file."),
    kind: Type.Enum(["add", "delete", "update"], { description: "What happens to the file." }),
  },
  { $id: "FileUpdateChange", description: "A file that a change adds, deletes or updates." },
);

const FileChangeItem = item("FileChangeItem", "file_change", "Files that the model changes.", {
  changes: Type.Array(FileUpdateChange, { description: "The files, and what happens to each." }),
  status: state("The state of the change."),
});

const McpToolCallResult = Type.Object(
  {
    content: Type.Array(Type.Unknown(), { description: "The content blocks of the result." }),
    _meta: Type.Optional(Type.Unknown({ description: "Metadata of the server." })),
    structured_content: Type.Unknown({ description: "The result as JSON; null if there is none." }),
  },
  { $id: "McpToolCallResult", description: "The result of a tool of an MCP server." },
);

const ItemFailure = Type.Object(
  { message: text("The reason, for a person.") },
  { $id: "ItemFailure", description: "The reason why an item or a turn failed." },
);

const McpToolCallItem = item(
  "McpToolCallItem",
  "mcp_tool_call",
  "A call of a tool of an MCP server.",
  {
    server: text("The name of the server in the settings."),
    tool: text("The name of the tool on that server."),
    arguments: since("0.104", Type.Unknown({ description: "The arguments as JSON." })),
    result: since(
      "0.104",
      Type.Union([McpToolCallResult, Type.Null()], {
        description: "The result of the tool; null while it runs and if there is none.",
      }),
    ),
    error: since(
      "0.104",
      Type.Union([ItemFailure, Type.Null()], {
        description: "The reason why there is no result.",
      }),
    ),
    status: state("The state of the call."),
  },
);

const ToolCallItem = item(
  "ToolCallItem",
  "tool_call",
  "A call of a tool of the program itself (`tools` of the options).",
  {
    tool: text("The name of the tool."),
    arguments: Type.Unknown({ description: "The arguments as JSON." }),
    output: Type.Union([Type.String(), Type.Null()], {
      description: "The answer of the tool as text; null while it runs.",
    }),
    status: state("The state of the call."),
  },
);

const CollabAgentState = Type.Object(
  allSince("0.166", {
    status: text("The state of the agent."),
    message: Type.Union([Type.String(), Type.Null()], { description: "Its answer or error." }),
  }),
  { $id: "CollabAgentState", description: "The state of a helper agent." },
);

const CollabToolCallItem = item(
  "CollabToolCallItem",
  "collab_tool_call",
  "A call of a tool that uses helper agents.",
  {
    tool: text("The name of the tool."),
    sender_thread_id: text("The thread of the agent that calls it."),
    receiver_thread_ids: Type.Array(Type.String(), { description: "The threads it is about." }),
    prompt: Type.Union([Type.String(), Type.Null()], { description: "The text for the agent." }),
    agents_states: Type.Record(Type.String(), CollabAgentState, {
      description: "The states of the agents by thread.",
    }),
    status: state("The state of the call."),
  },
  "0.166",
);

const url = Type.Optional(text("The address of the page."));

/** Declares an action of a web search. */
function action(name: string, type: string, description: string, fields: object): TObject {
  const kind = Type.Literal(type, { description: "The kind of action." });
  return Type.Object({ type: kind, ...fields }, { $id: name, description });
}

const WebSearchAction = taggedUnion(
  "WebSearchAction",
  "type",
  [
    action("SearchAction", "search", "A search.", {
      query: Type.Optional(text("The words that were searched for.")),
      queries: Type.Optional(Type.Array(Type.String(), { description: "All queries." })),
    }),
    action("OpenPageAction", "open_page", "A page that was opened.", { url }),
    action("FindInPageAction", "find_in_page", "A search within a page.", {
      url,
      pattern: Type.Optional(text("The text that was searched for.")),
    }),
    action("OtherWebAction", "other", "Any other action.", {}),
  ],
  "An action of a web search: a search, a page that was opened, or a search within a page.",
);

const WebSearchItem = item("WebSearchItem", "web_search", "A search of the web.", {
  query: text("The words that were searched for; empty until they are known."),
  action: since("0.104", described(WebSearchAction, "The details of the search.")),
});

const ImageGenerationItem = item(
  "ImageGenerationItem",
  "image_generation",
  "A picture that the model generated.",
  {
    status: text("The state of the call."),
    revised_prompt: Type.Union([Type.String(), Type.Null()], {
      description: "The prompt that the model used.",
    }),
    path: Type.Union([Type.String(), Type.Null()], {
      description: "The file that the picture was saved to.",
    }),
  },
);

const TodoStep = Type.Object(
  {
    text: text("The step."),
    completed: Type.Boolean({ description: "True if it is done." }),
  },
  { $id: "TodoStep", description: "A step of the plan." },
);

const TodoListItem = item("TodoListItem", "todo_list", "The plan of the turn.", {
  items: Type.Array(TodoStep, { description: "The steps in their order." }),
});

const ErrorItem = item(
  "ErrorItem",
  "error",
  "A problem that does not end the turn, such as a warning about the settings.",
  { message: text("The problem, for a person.") },
);

const ThreadItem = taggedUnion(
  "ThreadItem",
  "type",
  [
    AgentMessageItem,
    ReasoningItem,
    CommandExecutionItem,
    FileChangeItem,
    since("0.45", McpToolCallItem),
    since("current", ToolCallItem),
    since("0.166", CollabToolCallItem),
    since("0.45", WebSearchItem),
    since("current", ImageGenerationItem),
    TodoListItem,
    since("0.104", ErrorItem),
  ],
  "A part of a turn, in the format of `exec --json` and the SDK.",
);

const Usage = Type.Object(
  {
    input_tokens: count("Tokens sent to the model, cached ones included."),
    cached_input_tokens: count("Tokens of the input that the model's server had cached."),
    cache_write_input_tokens: since(
      "0.166",
      count("Tokens of the input that it wrote to its cache."),
    ),
    output_tokens: count("Tokens that the model wrote, reasoning included."),
    reasoning_output_tokens: since("0.166", count("Tokens of the output that were reasoning.")),
  },
  { $id: "Usage", description: "The tokens that a thread has used by the end of a turn." },
);

/** Declares an event. */
function event(name: string, type: string, description: string, fields: object): TObject {
  const kind = Type.Literal(type, { description: "The kind of event." });
  return Type.Object({ type: kind, ...fields }, { $id: name, description });
}

const whole = described(ThreadItem, "The item as it is now.");

export const ThreadEvent = taggedUnion(
  "ThreadEvent",
  "type",
  [
    event("ThreadStartedEvent", "thread.started", "The first event.", {
      thread_id: text("The id of the thread, to resume it."),
    }),
    since("0.45", event("TurnStartedEvent", "turn.started", "A turn starts.", {})),
    since(
      "0.45",
      event("TurnCompletedEvent", "turn.completed", "A turn is complete.", {
        usage: described(Usage, "The tokens that the thread has used."),
      }),
    ),
    since(
      "0.45",
      event("TurnFailedEvent", "turn.failed", "A turn has failed.", {
        error: described(ItemFailure, "The reason."),
      }),
    ),
    event("ItemStartedEvent", "item.started", "An item starts.", { item: whole }),
    event("ItemUpdatedEvent", "item.updated", "An item has changed.", { item: whole }),
    event("ItemCompletedEvent", "item.completed", "An item is complete.", { item: whole }),
    event("ThreadErrorEvent", "error", "A problem of the thread; the turn may continue.", {
      message: text("The problem, for a person."),
    }),
  ],
  "Event of a thread, in the format of `exec --json` and the SDK.",
);
