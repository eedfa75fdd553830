import Type, { type Static } from "typebox";
import { declareMethod } from "../declare.js";

const none = (description: string) => Type.Array(Type.Unknown(), { description });

export const HooksListParams = Type.Object(
  {
    cwds: Type.Optional(
      Type.Array(Type.String(), { description: "The folders; that of the server if none." }),
    ),
    threadId: Type.Optional(
      Type.String({ description: "The thread whose folder counts, instead of `cwds`." }),
    ),
  },
  { $id: "HooksListParams", description: "Where hooks are looked for." },
);
export interface HooksListParams extends Static<typeof HooksListParams> {}

export const HooksListEntry = Type.Object(
  {
    cwd: Type.String({ description: "The folder." }),
    hooks: none("Always empty: there are no hooks."),
    warnings: Type.Array(Type.String(), { description: "What the user should know of them." }),
    errors: none("Always empty."),
  },
  { $id: "HooksListEntry", description: "The hooks of a folder." },
);
export interface HooksListEntry extends Static<typeof HooksListEntry> {}

export const HooksListResponse = Type.Object(
  { data: Type.Array(HooksListEntry, { description: "By folder." }) },
  { $id: "HooksListResponse", description: "Answers `hooks/list`." },
);
export interface HooksListResponse extends Static<typeof HooksListResponse> {}

export const hooksMethods = [
  declareMethod(
    "hooks/list",
    "Lists the programs that are run on events: none.",
    HooksListParams,
    HooksListResponse,
  ),
];
