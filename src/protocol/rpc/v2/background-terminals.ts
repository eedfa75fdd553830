import Type, { type Static } from "typebox";
import { allSince, since } from "../../schema.js";
import { defineMethod } from "../declare.js";
import { EmptyResponse, nextCursor, PageParams } from "./common.js";
import { ThreadParams } from "./thread.js";

const threadId = Type.String({ description: "Thread id (UUID)." });
const unmeasured = (description: string) =>
  Type.Null({ description: `Always null: ${description}` });

export const ThreadBackgroundTerminal = Type.Object(
  allSince("0.166", {
    itemId: Type.String({ description: "Item of the command." }),
    processId: Type.String({ description: "Process id, as in the item." }),
    command: Type.String({ description: "Command line." }),
    cwd: Type.String({ description: "Working directory." }),
    osPid: unmeasured("commands are identified by `processId`."),
    cpuPercent: unmeasured("not measured."),
    rssKb: unmeasured("not measured."),
    startedAtMs: since(
      "current",
      Type.Integer({ description: "Start time in Unix milliseconds." }),
    ),
  }),
  {
    $id: "ThreadBackgroundTerminal",
    description: "A command of the model that is still running.",
  },
);
export interface ThreadBackgroundTerminal extends Static<typeof ThreadBackgroundTerminal> {}

export const ThreadBackgroundTerminalsListParams = Type.Object(
  { threadId, ...PageParams },
  {
    $id: "ThreadBackgroundTerminalsListParams",
    description: "Params of `thread/backgroundTerminals/list`.",
  },
);
export interface ThreadBackgroundTerminalsListParams
  extends Static<typeof ThreadBackgroundTerminalsListParams> {}

export const ThreadBackgroundTerminalsListResponse = Type.Object(
  allSince("0.166", {
    data: Type.Array(ThreadBackgroundTerminal, { description: "Running commands, oldest first." }),
    nextCursor,
  }),
  {
    $id: "ThreadBackgroundTerminalsListResponse",
    description: "Result of `thread/backgroundTerminals/list`.",
  },
);
export interface ThreadBackgroundTerminalsListResponse
  extends Static<typeof ThreadBackgroundTerminalsListResponse> {}

export const ThreadBackgroundTerminalsTerminateParams = Type.Object(
  { threadId, processId: Type.String({ description: "Process to end." }) },
  {
    $id: "ThreadBackgroundTerminalsTerminateParams",
    description: "Params of `thread/backgroundTerminals/terminate`.",
  },
);
export interface ThreadBackgroundTerminalsTerminateParams
  extends Static<typeof ThreadBackgroundTerminalsTerminateParams> {}

export const ThreadBackgroundTerminalsTerminateResponse = Type.Object(
  allSince("0.166", {
    terminated: Type.Boolean({ description: "True if the process was running." }),
  }),
  {
    $id: "ThreadBackgroundTerminalsTerminateResponse",
    description: "Result of `thread/backgroundTerminals/terminate`.",
  },
);
export interface ThreadBackgroundTerminalsTerminateResponse
  extends Static<typeof ThreadBackgroundTerminalsTerminateResponse> {}

export const backgroundTerminalMethods = [
  defineMethod({
    name: "thread/backgroundTerminals/list",
    summary: "Lists the commands of the model that are still running.",
    scope: "thread",
    params: ThreadBackgroundTerminalsListParams,
    result: ThreadBackgroundTerminalsListResponse,
    since: "0.166",
    experimental: "0.166",
  }),
  defineMethod({
    name: "thread/backgroundTerminals/terminate",
    summary: "Ends a running command of the model.",
    scope: "thread",
    params: ThreadBackgroundTerminalsTerminateParams,
    result: ThreadBackgroundTerminalsTerminateResponse,
    since: "0.166",
    experimental: "0.166",
  }),
  defineMethod({
    name: "thread/backgroundTerminals/clean",
    summary: "Ends all running commands of the model.",
    scope: "thread",
    params: ThreadParams,
    result: EmptyResponse,
    since: "0.104",
    experimental: "0.104",
  }),
];
