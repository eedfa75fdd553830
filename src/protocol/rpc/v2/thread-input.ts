import Type, { type Static } from "typebox";
import { declareMethod } from "../declare.js";
import { EmptyResponse } from "./nothing.js";

const threadId = Type.String({ description: "The thread, by its UUID." });

export const ThreadShellCommandParams = Type.Object(
  {
    threadId,
    command: Type.String({ description: "What the user's shell is to run, without a sandbox." }),
    timeoutMs: Type.Optional(
      Type.Integer({ minimum: 0, description: "How long it may take; an hour if absent." }),
    ),
  },
  { $id: "ThreadShellCommandParams", description: "A command of the user's own." },
);
export interface ThreadShellCommandParams extends Static<typeof ThreadShellCommandParams> {}

export const ThreadInjectItemsParams = Type.Object(
  {
    threadId,
    items: Type.Array(Type.Unknown(), {
      description: "Items as the model's server takes them, added behind the conversation.",
    }),
  },
  { $id: "ThreadInjectItemsParams", description: "What the model is to know from now on." },
);
export interface ThreadInjectItemsParams extends Static<typeof ThreadInjectItemsParams> {}

export const threadInputMethods = [
  declareMethod(
    "thread/shellCommand",
    "Runs a command of the user's own in a thread; the model is shown what it gave.",
    ThreadShellCommandParams,
    EmptyResponse,
  ),
  declareMethod(
    "thread/inject_items",
    "Adds items to what the model is shown, without asking it.",
    ThreadInjectItemsParams,
    EmptyResponse,
  ),
];
