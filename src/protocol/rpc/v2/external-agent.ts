import Type, { type Static } from "typebox";
import { allSince, Nullish, since } from "../../schema.js";
import { defineMethod, defineNotification } from "../declare.js";
import { NoParams } from "./common.js";

const nullableText = (description: string) => Nullish(Type.String(), { description });
const names = (description: string) =>
  Type.Optional(Type.Array(ExternalAgentName, { description }));

export const ExternalAgentName = Type.Object(
  allSince("0.166", { name: Type.String({ description: "Name." }) }),
  { $id: "ExternalAgentName", description: "A part of an item." },
);
export interface ExternalAgentName extends Static<typeof ExternalAgentName> {}

export const ExternalAgentItemType = Type.Enum(
  [
    "AGENTS_MD",
    "CONFIG",
    "SKILLS",
    "PLUGINS",
    "MCP_SERVER_CONFIG",
    "SUBAGENTS",
    "HOOKS",
    "COMMANDS",
    "MEMORY",
    "SESSIONS",
  ],
  {
    $id: "ExternalAgentItemType",
    description: "Kind of settings. `PLUGINS`, `MEMORY` and `SESSIONS` are never detected.",
  },
);
export type ExternalAgentItemType = Static<typeof ExternalAgentItemType>;

export const ExternalAgentDetails = Type.Object(
  allSince("0.166", {
    commands: names("Commands."),
    hooks: names("Events with hooks."),
    mcpServers: names("MCP servers."),
    skills: names("Skills."),
    subagents: names("Helper agents."),
  }),
  { $id: "ExternalAgentDetails", description: "Names of the parts of an item." },
);
export interface ExternalAgentDetails extends Static<typeof ExternalAgentDetails> {}

export const ExternalAgentWrite = Type.Object(
  allSince("current", {
    path: Type.String({ description: "File that is created or edited." }),
    isNew: Type.Boolean({ description: "True if the file does not exist yet." }),
    text: Type.String({ description: "Text that is written, or added to an existing file." }),
  }),
  { $id: "ExternalAgentWrite", description: "A file that an import writes." },
);
export interface ExternalAgentWrite extends Static<typeof ExternalAgentWrite> {}

export const ExternalAgentItem = Type.Object(
  allSince("0.166", {
    itemType: ExternalAgentItemType,
    description: Type.String({ description: "What is imported, and from where." }),
    cwd: nullableText("Project folder; null for the home of the user."),
    details: Nullish(ExternalAgentDetails, { description: "Names of its parts." }),
    writes: since(
      "current",
      Type.Optional(Type.Array(ExternalAgentWrite, { description: "Files that are written." })),
    ),
    skipped: since(
      "current",
      Type.Optional(
        Type.Array(Type.String(), { description: "Parts that are left out, with the reason." }),
      ),
    ),
  }),
  { $id: "ExternalAgentItem", description: "Settings of another agent that can be imported." },
);
export interface ExternalAgentItem extends Static<typeof ExternalAgentItem> {}

const source = nullableText("Agent: `claude-code`, also if it is omitted; others have no items.");

export const ExternalAgentDetectParams = Type.Object(
  allSince("0.166", {
    includeHome: Type.Optional(
      Type.Boolean({ description: "Includes the settings of the user. Default: false." }),
    ),
    cwds: Nullish(Type.Array(Type.String()), { description: "Project folders to look into." }),
    source,
    migrationSource: source,
  }),
  { $id: "ExternalAgentDetectParams", description: "Params of `externalAgentConfig/detect`." },
);
export interface ExternalAgentDetectParams extends Static<typeof ExternalAgentDetectParams> {}

export const ExternalAgentDetectResponse = Type.Object(
  allSince("0.166", {
    items: Type.Array(ExternalAgentItem, { description: "Items, the user's first." }),
    connectors: Type.Array(Type.Unknown(), { description: "Always empty." }),
  }),
  { $id: "ExternalAgentDetectResponse", description: "Result of `externalAgentConfig/detect`." },
);
export interface ExternalAgentDetectResponse extends Static<typeof ExternalAgentDetectResponse> {}

const place = {
  itemType: ExternalAgentItemType,
  cwd: nullableText("Project folder; null for the home of the user."),
  source: nullableText("File that was read."),
};

export const ExternalAgentSuccess = Type.Object(
  allSince("0.166", {
    ...place,
    target: nullableText("File that was written."),
    title: nullableText("Always null."),
  }),
  { $id: "ExternalAgentSuccess", description: "A file that was imported." },
);
export interface ExternalAgentSuccess extends Static<typeof ExternalAgentSuccess> {}

export const ExternalAgentFailure = Type.Object(
  allSince("0.166", {
    ...place,
    failureStage: Type.String({ description: "Step that failed." }),
    message: Type.String({ description: "Reason." }),
    errorType: nullableText("Kind of the error."),
    subErrorType: nullableText("Finer kind of the error."),
  }),
  { $id: "ExternalAgentFailure", description: "A file that could not be imported." },
);
export interface ExternalAgentFailure extends Static<typeof ExternalAgentFailure> {}

export const ExternalAgentTypeResult = Type.Object(
  allSince("0.166", {
    itemType: ExternalAgentItemType,
    successes: Type.Array(ExternalAgentSuccess, { description: "Imported files." }),
    failures: Type.Array(ExternalAgentFailure, { description: "Files that failed." }),
  }),
  { $id: "ExternalAgentTypeResult", description: "Result for one kind of settings." },
);
export interface ExternalAgentTypeResult extends Static<typeof ExternalAgentTypeResult> {}

const results = Type.Array(ExternalAgentTypeResult, { description: "Results by kind." });

export const ExternalAgentImportParams = Type.Object(
  allSince("0.166", {
    migrationItems: Type.Array(ExternalAgentItem, {
      description:
        "Items of `externalAgentConfig/detect`. They are detected again: only `itemType` and `cwd` select.",
    }),
    source,
    migrationSource: source,
    providerId: nullableText("Recorded in the history."),
  }),
  { $id: "ExternalAgentImportParams", description: "Params of `externalAgentConfig/import`." },
);
export interface ExternalAgentImportParams extends Static<typeof ExternalAgentImportParams> {}

export const ExternalAgentImportResponse = Type.Object(
  allSince("0.166", {
    importId: Type.String({ description: "Id of the import." }),
    itemTypeResults: since("current", Type.Optional(results)),
  }),
  { $id: "ExternalAgentImportResponse", description: "Result of `externalAgentConfig/import`." },
);
export interface ExternalAgentImportResponse extends Static<typeof ExternalAgentImportResponse> {}

export const ExternalAgentImportNotification = Type.Object(
  allSince("0.166", {
    importId: Type.String({ description: "Id of the import." }),
    itemTypeResults: results,
  }),
  {
    $id: "ExternalAgentImportNotification",
    description: "Params of `externalAgentConfig/import/progress` and `…/completed`.",
  },
);
export interface ExternalAgentImportNotification
  extends Static<typeof ExternalAgentImportNotification> {}

export const ExternalAgentHistory = Type.Object(
  allSince("0.166", {
    importId: Type.String({ description: "Id of the import." }),
    completedAtMs: Type.Integer({ description: "End of the import (Unix milliseconds)." }),
    providerId: nullableText("Provider that the client named."),
    successes: Type.Array(ExternalAgentSuccess, { description: "Imported files." }),
    failures: Type.Array(ExternalAgentFailure, { description: "Files that failed." }),
  }),
  { $id: "ExternalAgentHistory", description: "A completed import." },
);
export interface ExternalAgentHistory extends Static<typeof ExternalAgentHistory> {}

export const ExternalAgentHistoriesResponse = Type.Object(
  allSince("0.166", {
    data: Type.Array(ExternalAgentHistory, { description: "Imports, oldest first." }),
    connectors: Type.Array(Type.Unknown(), { description: "Always empty." }),
  }),
  {
    $id: "ExternalAgentHistoriesResponse",
    description: "Result of `externalAgentConfig/import/readHistories`.",
  },
);
export interface ExternalAgentHistoriesResponse
  extends Static<typeof ExternalAgentHistoriesResponse> {}

export const ExternalAgentRecordParams = Type.Object(
  allSince("0.166", {
    providerId: Type.String({ description: "Provider that made the import." }),
    itemTypeResults: results,
  }),
  {
    $id: "ExternalAgentRecordParams",
    description: "Params of `externalAgentConfig/import/recordHistory`.",
  },
);
export interface ExternalAgentRecordParams extends Static<typeof ExternalAgentRecordParams> {}

const dates = { since: "0.166" } as const;

export const externalAgentMethods = [
  defineMethod({
    name: "externalAgentConfig/detect",
    summary: "Finds settings of Claude Code that can be imported. Writes nothing.",
    scope: "server",
    params: ExternalAgentDetectParams,
    result: ExternalAgentDetectResponse,
    ...dates,
  }),
  defineMethod({
    name: "externalAgentConfig/import",
    summary: "Imports the given items. Existing files are never overwritten.",
    scope: "server",
    params: ExternalAgentImportParams,
    result: ExternalAgentImportResponse,
    ...dates,
  }),
  defineMethod({
    name: "externalAgentConfig/import/readHistories",
    summary: "Lists completed imports.",
    scope: "server",
    params: NoParams,
    result: ExternalAgentHistoriesResponse,
    ...dates,
  }),
  defineMethod({
    name: "externalAgentConfig/import/recordHistory",
    summary: "Records an import that the client made itself.",
    scope: "server",
    params: ExternalAgentRecordParams,
    result: ExternalAgentImportResponse,
    ...dates,
  }),
  defineNotification({
    name: "externalAgentConfig/import/progress",
    summary: "An import has finished some of its items.",
    scope: "connection",
    params: ExternalAgentImportNotification,
    ...dates,
  }),
  defineNotification({
    name: "externalAgentConfig/import/completed",
    summary: "An import has finished.",
    scope: "connection",
    params: ExternalAgentImportNotification,
    ...dates,
  }),
];
