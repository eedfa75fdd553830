import Type, { type Static } from "typebox";
import { Nullish, taggedUnion } from "./schema.js";

const cmd = Type.String({ description: "The command as text." });

export const ReadCommand = Type.Object(
  {
    type: Type.Literal("read"),
    cmd,
    name: Type.String({ description: "A short name of the file that is read." }),
    path: Nullish(Type.String(), { description: "The file that is read." }),
  },
  { $id: "ReadCommand", description: "Shows a file." },
);
export interface ReadCommand extends Static<typeof ReadCommand> {}

export const ListFilesCommand = Type.Object(
  {
    type: Type.Literal("list_files"),
    cmd,
    path: Nullish(Type.String(), { description: "Where the files are." }),
  },
  { $id: "ListFilesCommand", description: "Lists files." },
);
export interface ListFilesCommand extends Static<typeof ListFilesCommand> {}

export const SearchCommand = Type.Object(
  {
    type: Type.Literal("search"),
    cmd,
    query: Nullish(Type.String(), { description: "What is searched for." }),
    path: Nullish(Type.String(), { description: "Where it is searched." }),
  },
  { $id: "SearchCommand", description: "Searches files." },
);
export interface SearchCommand extends Static<typeof SearchCommand> {}

export const UnknownCommand = Type.Object(
  { type: Type.Literal("unknown"), cmd },
  { $id: "UnknownCommand", description: "Does something else." },
);
export interface UnknownCommand extends Static<typeof UnknownCommand> {}

/** What a command does, for showing it to a person. */
export type ParsedCommand = ReadCommand | ListFilesCommand | SearchCommand | UnknownCommand;
export const ParsedCommand = taggedUnion(
  "ParsedCommand",
  "type",
  [ReadCommand, ListFilesCommand, SearchCommand, UnknownCommand],
  "What a command does, for showing it to a person.",
);
