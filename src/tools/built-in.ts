import { execCommandTool, writeStdinTool } from "./exec/exec-command.js";
import type { ExecServices } from "./exec/services.js";
import { localShellTool, shellTool } from "./exec/shell.js";
import { shellCommandTool } from "./exec/shell-command.js";
import { applyPatchFreeform, applyPatchFunction } from "./patch/apply-patch.js";
import { requestUserInput } from "./request-user-input.js";
import type { ToolTurn } from "./tool.js";
import { type BoxedTool, createToolBox, type ToolBox } from "./tool-box.js";
import { updatePlan } from "./update-plan.js";
import { viewImage } from "./view-image.js";
import { webSearch } from "./web-search.js";

/** Which of the optional tools the user or the client wants offered. */
export interface ToolChoice {
  plan: boolean;
  /** Also to models that are not offered it by their family. */
  applyPatch: boolean;
  viewImage: boolean;
  webSearch: boolean;
}

/** Models that know a tool from elsewhere may call it without having been offered it. */
const never = () => false;

/** The tools that come with the engine, in the order in which models know them. */
export function builtInTools(services: ExecServices, choice: ToolChoice): ToolBox {
  const isOffered = (form: "freeform" | "function") => (turn: ToolTurn) =>
    (turn.family.applyPatchTool ?? (choice.applyPatch ? "freeform" : undefined)) === form;
  const entries: BoxedTool[] = [
    {
      tool: shellTool(services),
      aliases: ["container.exec"],
      offeredIn: ({ family }) => family.shellTool === "shell",
    },
    { tool: shellCommandTool(services), offeredIn: never },
    {
      tool: execCommandTool(services),
      offeredIn: ({ family }) => family.shellTool === "unified_exec",
    },
    {
      tool: writeStdinTool(services),
      offeredIn: ({ family }) => family.shellTool === "unified_exec",
    },
    {
      tool: localShellTool(services),
      offeredIn: ({ family }) => family.shellTool === "local_shell",
    },
    { tool: updatePlan, offeredIn: ({ isReview }) => choice.plan && !isReview },
    {
      tool: requestUserInput,
      offeredIn: ({ collaboration_mode }) => collaboration_mode?.mode === "plan",
    },
    { tool: applyPatchFunction(services), offeredIn: isOffered("function") },
    { tool: applyPatchFreeform(services), offeredIn: isOffered("freeform") },
    { tool: webSearch, offeredIn: ({ isReview }) => choice.webSearch && !isReview },
    { tool: viewImage, offeredIn: ({ isReview }) => choice.viewImage && !isReview },
  ];
  return createToolBox(entries, () => services.sessions.endAll());
}
