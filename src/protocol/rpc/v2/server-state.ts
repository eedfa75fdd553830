import Type, { type Static } from "typebox";
import { allSince, described, Nullable } from "../../schema.js";
import { defineMethod } from "../declare.js";
import { NoParams } from "./common.js";

export const ServerDiagnosticsResponse = Type.Object(
  allSince("0.166", {
    process: Type.Object(
      allSince("0.166", {
        id: Type.Integer({ description: "Process id." }),
        residentMemoryBytes: Nullable(Type.Integer(), { description: "Memory in use." }),
        physicalFootprintBytes: Type.Null({ description: "Always null: not measured." }),
      }),
      { $id: "ServerDiagnosticsProcess", description: "The process of the server." },
    ),
    gauges: Type.Array(
      Type.Object(
        allSince("0.166", {
          name: Type.String({ description: "Name." }),
          value: Type.Integer({ description: "Current value." }),
        }),
        { $id: "ServerDiagnosticsGauge", description: "A figure of the server." },
      ),
      { description: "Figures of the server." },
    ),
  }),
  { $id: "ServerDiagnosticsResponse", description: "Result of `server/diagnostics`." },
);
export interface ServerDiagnosticsResponse extends Static<typeof ServerDiagnosticsResponse> {}

export const EnvironmentParams = Type.Object(
  { environmentId: Type.String({ description: "Environment; only `local` exists." }) },
  { $id: "EnvironmentParams", description: "Params with an environment id." },
);
export interface EnvironmentParams extends Static<typeof EnvironmentParams> {}

export const EnvironmentShellInfo = Type.Object(
  allSince("0.166", {
    name: Type.String({ description: "Name, such as `bash`." }),
    path: Type.String({ description: "Path of the program." }),
  }),
  { $id: "EnvironmentShellInfo", description: "The user's shell." },
);
export interface EnvironmentShellInfo extends Static<typeof EnvironmentShellInfo> {}

export const EnvironmentInfoResponse = Type.Object(
  allSince("0.166", {
    shell: described(EnvironmentShellInfo, "The shell that runs commands."),
    cwd: Type.String({ description: "Working directory of the server, as a `file:` URL." }),
  }),
  { $id: "EnvironmentInfoResponse", description: "Result of `environment/info`." },
);
export interface EnvironmentInfoResponse extends Static<typeof EnvironmentInfoResponse> {}

export const EnvironmentStatusResponse = Type.Object(
  allSince("0.166", {
    status: Type.Enum(["ready", "disconnected"], {
      description: "Always `ready` here: commands run on this machine.",
    }),
    error: Type.Optional(
      Type.String({ description: "Reason of a remote environment that is disconnected." }),
    ),
  }),
  { $id: "EnvironmentStatusResponse", description: "Result of `environment/status`." },
);
export interface EnvironmentStatusResponse extends Static<typeof EnvironmentStatusResponse> {}

export const RemoteControlStatusReadResponse = Type.Object(
  allSince("0.166", {
    status: Type.Enum(["disabled"], { description: "Always `disabled`." }),
    serverName: Type.String({ description: "Host name." }),
    installationId: Type.String({ description: "Installation id." }),
    environmentId: Type.Null({ description: "Always null." }),
  }),
  {
    $id: "RemoteControlStatusReadResponse",
    description: "Result of `remoteControl/status/read`.",
  },
);
export interface RemoteControlStatusReadResponse
  extends Static<typeof RemoteControlStatusReadResponse> {}

const dates = { since: "0.166", experimental: "0.166" } as const;

export const serverStateMethods = [
  defineMethod({
    name: "server/diagnostics",
    summary: "Returns figures of the server.",
    scope: "server",
    params: NoParams,
    result: ServerDiagnosticsResponse,
    ...dates,
  }),
  defineMethod({
    name: "remoteControl/status/read",
    summary: "Returns the status of remote control. Always disabled here.",
    scope: "server",
    params: NoParams,
    result: RemoteControlStatusReadResponse,
    ...dates,
  }),
  defineMethod({
    name: "environment/info",
    summary: "Returns the shell and the working directory of the local environment.",
    scope: "server",
    params: EnvironmentParams,
    result: EnvironmentInfoResponse,
    ...dates,
  }),
  defineMethod({
    name: "environment/status",
    summary: "Returns the status of the local environment.",
    scope: "server",
    params: EnvironmentParams,
    result: EnvironmentStatusResponse,
    ...dates,
  }),
];
