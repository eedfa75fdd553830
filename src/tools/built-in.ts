import type { ExecSessions } from "../exec/index.js";
import {
  type CommandTools,
  offersAll,
  standaloneEntries,
  supportsDetail,
  type ToolChoice,
  type WebSearchForm,
  withValues,
} from "./define-tool.js";
import { execCommandTool, writeStdinTool } from "./exec/exec-command.js";
import type { ExecServices } from "./exec/services.js";
import { confinedShellTool, localShellTool, shellCommandTool, shellTool } from "./exec/shell.js";
import { createTerminals, unifiedExecTool } from "./exec/unified-exec.js";
import { type McpToolParts, withMcpTools } from "./mcp.js";
import { applyPatchFreeform, applyPatchFunction } from "./patch/apply-patch.js";
import { requestPermissions } from "./request-permissions.js";
import { requestUserInput } from "./request-user-input.js";
import { standaloneTools } from "./standalone.generated.js";
import { failed, type Tool, type ToolTurn } from "./tool.js";
import {
  type BackgroundCommands,
  type BoxedTool,
  createLateToolBox,
  type ToolBox,
} from "./tool-box.js";
import { updatePlan } from "./update-plan.js";

/** Models that know a tool from elsewhere may call it without having been offered it. */
const never = () => false;

/** The tools that come with the engine, in the order in which models know them. */
export function builtInTools(
  services: ExecServices,
  choice: ToolChoice,
  mcp?: McpToolParts,
): ToolBox {
  const terminals = createTerminals();
  const create = () => {
    const entries = builtInEntries(services, choice, { mcp, terminals });
    const { richSchemas } = choice.behavior;
    return richSchemas
      ? entries.map((entry) => ({ ...entry, tool: withValues(entry.tool) }))
      : entries;
  };
  const close = async () => {
    await Promise.all([services.sessions.endAll(), terminals.endAll()]);
  };
  const background = backgroundOf(services.sessions, terminals);
  const box = createLateToolBox(create, { close, background, isFixed: mcp === undefined });
  if (mcp === undefined) return box;
  const tools = { ...mcp, resources: [] }; // These are among the built-in ones.
  return withMcpTools(box, () => tools);
}

/** Lists the built-in tools: those that models are offered, and those that they may call all the same. */
export function builtInEntries(
  services: ExecServices,
  choice: ToolChoice,
  { mcp, terminals }: { mcp?: McpToolParts | undefined; terminals: ExecSessions },
): BoxedTool[] {
  const isOffered = (form: "freeform" | "function") => (turn: ToolTurn) =>
    turn.isConfined !== true &&
    (turn.family.applyPatchTool ?? (choice.applyPatch ? "freeform" : undefined)) === form;
  const { behavior } = choice;
  const hasAll = (turn: ToolTurn) => offersAll(turn, choice);
  const pictures = (turn: ToolTurn) => supportsDetail(turn, choice);
  const commands = (turn: ToolTurn) => commandTools(turn, choice, services);
  return [
    {
      tool: shellTool(services),
      aliases: ["container.exec"],
      offeredIn: (turn) => commands(turn) === "shell",
    },
    {
      tool: confinedShellTool(services),
      offeredIn: (turn) => commands(turn) === "confined_shell",
    },
    { tool: shellCommandTool(services), offeredIn: never },
    { tool: execCommandTool(services), offeredIn: (turn) => commands(turn) === "exec_command" },
    { tool: writeStdinTool(services), offeredIn: (turn) => commands(turn) === "exec_command" },
    {
      tool: unifiedExecTool(services, terminals),
      offeredIn: (turn) => commands(turn) === "unified_exec",
    },
    { tool: localShellTool(services), offeredIn: (turn) => commands(turn) === "local_shell" },
    ...(mcp?.resources ?? []).map((tool) => ({ tool, offeredIn: () => mcp?.isUsed() ?? false })),
    ...(behavior.planTool === "only if asked" && !choice.plan
      ? []
      : [
          {
            tool: updatePlan,
            offeredIn: (turn: ToolTurn) =>
              (choice.plan ?? behavior.planTool === "unless refused") && hasAll(turn),
          },
        ]),
    ...userInputTools(choice),
    ...(choice.permissions
      ? [
          {
            tool: requestPermissions(services.sandbox),
            offeredIn: (turn: ToolTurn) => hasAll(turn) && turn.isConfined !== true,
          },
        ]
      : []),
    { tool: applyPatchFunction(services), offeredIn: isOffered("function") },
    { tool: applyPatchFreeform(services), offeredIn: isOffered("freeform") },
    ...searchForms.flatMap((form) =>
      [false, true].map((detail) => ({
        tool: webSearch(form, { pictures: detail }),
        offeredIn: (turn: ToolTurn) =>
          !turn.isReview && choice.webSearch(turn) === form && pictures(turn) === detail,
      })),
    ),
    ...standaloneEntries(standaloneTools, choice),
  ];
}

function backgroundOf(sessions: ExecSessions, terminals: ExecSessions): BackgroundCommands {
  return {
    list: () => sessions.list(),
    get isRunning() {
      return sessions.list().length > 0 || terminals.list().length > 0;
    },
    end(id, exitCode) {
      const isKnown = sessions.list().some((session) => session.id === id);
      void sessions.end(id, exitCode);
      return isKnown;
    },
    hold: (isHeld) => sessions.hold.set(isHeld),
  };
}

/** Not offered if the client cannot answer: the task would wait forever. */
function userInputTools({ userInput, behavior }: ToolChoice): BoxedTool[] {
  const inEveryMode = behavior.userInputTool === "in every mode";
  if (inEveryMode && !userInput) return [];
  const tool = requestUserInput({ inEveryMode });
  const isAlways = inEveryMode || behavior.userInputTool === "always";
  return [{ tool, offeredIn: (turn) => isAlways || turn.collaboration_mode?.mode === "plan" }];
}

/** The web search built into models; they run it themselves and only report it. */
export function webSearch(form: WebSearchForm, { pictures = false } = {}): Tool {
  const found = pictures ? { search_content_types: ["text", "image"] } : {};
  return {
    spec:
      form === "plain"
        ? { type: "web_search" }
        : { type: "web_search", external_web_access: form === "live", ...found },
    async run() {
      return failed("The model searches the web itself; there is nothing to call");
    },
  };
}

const searchForms: readonly WebSearchForm[] = ["plain", "live", "cached"];

/** By which tools the model runs commands in a turn. */
function commandTools(
  { family, approval_policy, sandbox_policy }: ToolTurn,
  { commands }: ToolChoice,
  { since }: ExecServices,
): CommandTools | "local_shell" | "confined_shell" {
  if (commands !== undefined && commands !== "shell") return commands;
  if (family.shellTool === "unified_exec" && commands === undefined) return "exec_command";
  const own = family.shellTool === "local_shell" ? "local_shell" : "shell";
  if (since["0.42"]) return own;
  // The shell built into a model has no parameter to ask for escalation.
  if (approval_policy !== "on-request") return own === "shell" ? "confined_shell" : own;
  return sandbox_policy.mode === "danger-full-access" ? "confined_shell" : "shell";
}
