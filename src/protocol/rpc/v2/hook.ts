import Type, { type Static } from "typebox";
import { allSince, described, Nullable, since } from "../../schema.js";
import { HookRunEntry } from "../../sqeq/events/hook.js";
import { defineMethod, defineNotification } from "../declare.js";

const ms = (description: string) => Nullable(Type.Integer(), { description });

export const HookRunSummary = Type.Object(
  allSince("0.166", {
    id: Type.String({ description: "Id of the run; unique among the runs of a turn and call." }),
    eventName: Type.String({ description: "Event in camel case, such as `preToolUse`." }),
    handlerType: Type.Enum(["command", "mcpTool", "http", "function"], {
      description: "Kind of the hook.",
    }),
    executionMode: Type.Enum(["sync", "async"], {
      description: "Whether the turn waits for it.",
    }),
    scope: Type.Enum(["thread", "turn"], { description: "Whether it belongs to a turn." }),
    sourcePath: Type.String({ description: "File that declares the hook." }),
    source: Type.String({ description: "Origin of the file: `user`, `project`, `system`…" }),
    displayOrder: Type.Integer({ description: "Position among all hooks." }),
    status: Type.Enum(["running", "completed", "failed", "blocked", "stopped"], {
      description: "State of the run.",
    }),
    statusMessage: Nullable(Type.String(), { description: "Text to show while it runs." }),
    startedAt: Type.Integer({ description: "Start, in Unix milliseconds." }),
    completedAt: ms("End, in Unix milliseconds."),
    durationMs: ms("Duration in milliseconds."),
    entries: Type.Array(HookRunEntry, { description: "Parts of its answer." }),
  }),
  { $id: "HookRunSummary", description: "A run of a hook." },
);
export interface HookRunSummary extends Static<typeof HookRunSummary> {}

const params = allSince("0.166", {
  threadId: Type.String({ description: "Thread id." }),
  turnId: Nullable(Type.String(), { description: "Turn id, if a turn is active." }),
  run: described(HookRunSummary, "The run."),
});

export const HookStartedNotification = Type.Object(params, {
  $id: "HookStartedNotification",
  description: "A hook has started.",
});
export interface HookStartedNotification extends Static<typeof HookStartedNotification> {}

export const HookCompletedNotification = Type.Object(params, {
  $id: "HookCompletedNotification",
  description: "A hook has ended.",
});
export interface HookCompletedNotification extends Static<typeof HookCompletedNotification> {}

export const HookMetadata = Type.Object(
  allSince("0.166", {
    key: Type.String({ description: "Name in `hooks.state`: `FILE:EVENT:GROUP:HANDLER`." }),
    eventName: Type.String({ description: "Event in camel case, such as `preToolUse`." }),
    handlerType: Type.Enum(["command", "mcpTool", "http"], { description: "Kind of the hook." }),
    command: Type.Optional(Type.String({ description: "Script of a command." })),
    async: Type.Optional(
      Type.Boolean({ description: "Whether a command runs without being awaited." }),
    ),
    server: Type.Optional(Type.String({ description: "MCP server of a tool." })),
    tool: Type.Optional(Type.String({ description: "MCP tool." })),
    url: since("current", Type.Optional(Type.String({ description: "URL of an HTTP hook." }))),
    matcher: Nullable(Type.String(), { description: "Matcher, where the event has names." }),
    timeoutSec: Type.Integer({ description: "Time limit in seconds." }),
    onFailure: since(
      "current",
      Type.Enum(["deny", "continue"], { description: "Effect of a failure of the hook." }),
    ),
    statusMessage: Nullable(Type.String(), { description: "Text to show while it runs." }),
    additionalContextLimit: Nullable(Type.Integer(), {
      description: "Tokens of context that are passed to the model; null: the default.",
    }),
    sourcePath: Type.String({ description: "File that declares the hook." }),
    source: Type.String({ description: "Origin of the file: `user`, `project`, `system`…" }),
    pluginId: Type.Null({ description: "Always null." }),
    environmentId: Type.Null({ description: "Always null." }),
    displayOrder: Type.Integer({ description: "Position among all hooks." }),
    enabled: Type.Boolean({ description: "False if the user has disabled it." }),
    isManaged: Type.Boolean({ description: "True for hooks of the administrator." }),
    currentHash: Type.String({ description: "Hash to store as `trusted_hash`." }),
    trustStatus: Type.Enum(["untrusted", "trusted", "modified", "managed"], {
      description: "Only trusted and managed hooks run.",
    }),
  }),
  { $id: "HookMetadata", description: "A hook of a file." },
);
export interface HookMetadata extends Static<typeof HookMetadata> {}

export const HookErrorInfo = Type.Object(
  allSince("0.166", {
    path: Type.String({ description: "File." }),
    message: Type.String({ description: "Reason, with the position in the file." }),
  }),
  { $id: "HookErrorInfo", description: "A problem that prevents sessions." },
);
export interface HookErrorInfo extends Static<typeof HookErrorInfo> {}

export const HooksListParams = Type.Object(
  {
    cwds: Type.Optional(
      Type.Array(Type.String(), {
        description: "Directories. Default: the server's working directory.",
      }),
    ),
    threadId: Type.Optional(
      Type.String({ description: "Thread whose working directory is used, instead of `cwds`." }),
    ),
  },
  { $id: "HooksListParams", description: "Params of `hooks/list`." },
);
export interface HooksListParams extends Static<typeof HooksListParams> {}

export const HooksListEntry = Type.Object(
  {
    cwd: Type.String({ description: "Directory." }),
    hooks: Type.Array(HookMetadata, { description: "Hooks, in the order in which they run." }),
    warnings: Type.Array(Type.String(), { description: "Warnings for the user." }),
    errors: Type.Array(HookErrorInfo, { description: "Hooks that are not understood." }),
  },
  { $id: "HooksListEntry", description: "Hooks of a directory." },
);
export interface HooksListEntry extends Static<typeof HooksListEntry> {}

export const HooksListResponse = Type.Object(
  { data: Type.Array(HooksListEntry, { description: "Entries by directory." }) },
  { $id: "HooksListResponse", description: "Result of `hooks/list`." },
);
export interface HooksListResponse extends Static<typeof HooksListResponse> {}

export const hookMethods = [
  defineMethod({
    name: "hooks/list",
    summary: "Lists the hooks of directories, with the user's trust in each.",
    scope: "server",
    params: HooksListParams,
    result: HooksListResponse,
    since: "0.166",
  }),
  defineNotification({
    name: "hook/started",
    summary: "A hook has started.",
    scope: "thread",
    params: HookStartedNotification,
    since: "0.166",
  }),
  defineNotification({
    name: "hook/completed",
    summary: "A hook has ended, with what it decided.",
    scope: "thread",
    params: HookCompletedNotification,
    since: "0.166",
  }),
];
