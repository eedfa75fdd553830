import { join } from "node:path";
import type { Era, ExecBehavior } from "../../compat/index.js";
import {
  type Config,
  type Environment,
  mayBring,
  trustLevelOf,
  type WebSearchMode,
} from "../../config/index.js";
import {
  commandEnvironment,
  ExecSessions,
  type LoginShells,
  outputLimitFor,
} from "../../exec/index.js";
import { isAzure } from "../../model/index.js";
import { namesPrograms } from "../../project/index.js";
import type { SandboxPolicy } from "../../protocol/types.js";
import { hasNetwork, type Sandbox } from "../../sandbox/index.js";
import { mergeRules, networkRuleWarning, noRules, readRuleLayers } from "../../shell/index.js";
import type { Tracing } from "../../telemetry/index.js";
import {
  ApprovedCommands,
  ApprovedPaths,
  builtInTools,
  type CommandTools,
  createUserShell,
  type ExecServices,
  type ToolBox,
  type ToolTurn,
  type UserShell,
  type WebSearchForm,
  withClock,
  withMcpTools,
} from "../../tools/index.js";
import type { McpAccess } from "../mcp-access.js";
import { offersPermissions } from "../permissions.js";
import { withLateTools } from "../session-tools.js";
import { agentGeneration } from "../turn-context.js";
import type { Machine } from "./machine.js";
import { inUserProfile, userShellPath } from "./user-shell.js";

/** Inputs for tools besides the config. */
export interface ToolParts {
  /** The thread that commands run for. */
  threadId: string;
  env: Environment;
  era: Era;
  sandbox: Sandbox;
  /** Asked for when a command is run. */
  loginShells(): LoginShells;
  tracing: Tracing;
  /** Returns the editor of a thread, if there is one. */
  buffers: Machine["buffers"];
  /** Returns the editor that runs commands of a thread, if there is one. */
  terminals: Machine["terminals"];
  warn(message: string): void;
  mcp: McpAccess;
}

/** The tools of a session on this machine. */
export function createTools(
  config: Config,
  parts: ToolParts & { canAnswer: boolean; isAgent: boolean },
): ToolBox {
  const { mcp, era, isAgent } = parts;
  const userInput = config.can_answer_questions && parts.canAnswer;
  const box = builtInTools(
    execServices(config, parts),
    {
      plan: config.include_plan_tool,
      userInput,
      // 0.166 shows them in every program.
      asyncQuestions: !isAgent && (userInput || !era.since.current),
      applyPatch: config.include_apply_patch_tool,
      viewImage: config.tools.view_image,
      goals: config.features.get("goals") !== false,
      permissions: offersPermissions(config, parts.era),
      webSearch: (turn) => searchForm(config, parts.era, turn),
      behavior: parts.era.tools,
      since: parts.era.since,
      commands: commandTools(config, parts.era.exec),
    },
    mcp.tools,
  );
  const all = mcp.tools === undefined ? withMcpTools(box, () => mcp.tools) : box;
  return era.since["0.166"] ? withLateAgents(withClock(all), config, parts) : all;
}

/** Adds the tools of helper agents when a turn first has a model that knows them. */
function withLateAgents(
  box: ToolBox,
  config: Config,
  { era, warn, isAgent }: Pick<ToolParts, "era" | "warn"> & { isAgent: boolean },
): ToolBox {
  const generationIn = (turn: ToolTurn) => agentGeneration(config, era, turn);
  return withLateTools(box, {
    isNeeded: (turn) => generationIn(turn) !== undefined,
    async wrap() {
      const { withAgentTools } = await import("../../tools/agents/with-agent-tools.js");
      const { loadAgentRoles } = await import("../../config/agents/roles.js");
      const { roles, problems } = await loadAgentRoles(config);
      // The root has warned of them.
      if (problems.length > 0 && !isAgent) {
        const lines = problems.map((one) => `- ${one}`).join("\n");
        warn(`Roles of agents that were left out:\n${lines}`);
      }
      return withAgentTools(box, generationIn, [...roles.values()]);
    },
  });
}

/** Returns the form of web search to offer; by default it uses cached pages, and before 0.104 is off. */
function searchForm(
  { web_search: explicit, provider, requirements }: Config,
  { since }: Era,
  { sandbox_policy }: ToolTurn,
): WebSearchForm | undefined {
  if (!since["0.104"] && explicit === undefined) return undefined;
  const sandbox = sandbox_policy.mode;
  const wanted = webSearchForTurn({ explicit, available: hasWebSearch(provider), sandbox });
  const mode = requirements?.webSearch(wanted) ?? wanted;
  if (mode === "disabled") return undefined;
  // Older eras have no field for a live search: theirs is always live.
  return !since["0.104"] && mode === "live" ? "plain" : mode;
}

/** Context of the web search mode of a turn. */
export interface WebSearchContext {
  explicit: WebSearchMode | undefined;
  /** True if the provider supports web search. */
  available: boolean;
  sandbox: SandboxPolicy["mode"];
}

/** Returns the web search mode of a turn. */
export function webSearchForTurn(context: WebSearchContext): WebSearchMode {
  const { explicit, available, sandbox } = context;
  if (explicit !== undefined) return explicit;
  if (!available) return "disabled";
  return sandbox === "danger-full-access" ? "live" : "cached";
}

/** Returns true if models of a provider can be expected to have a web search. */
function hasWebSearch(provider: Config["provider"]): boolean {
  const isLocal = ["oss", "ollama", "lmstudio"].includes(provider.id);
  return provider.wire_api === "responses" && !isAzure(provider) && !isLocal;
}

/** The shell in which the user's own commands run. */
export function createLocalShell(config: Config, parts: Omit<ToolParts, "mcp">): UserShell {
  return createUserShell(execServices(config, parts));
}

/** Command tools the user has chosen; `undefined` leaves the choice to the model's family. */
function commandTools(
  { features, tools }: Config,
  { sessionTools }: ExecBehavior,
): CommandTools | undefined {
  if (features.get("shell_tool") === false) return "none";
  if (tools.exec_command) return "exec_command";
  const sessions = features.get("unified_exec");
  if (sessions === undefined) return undefined;
  if (!sessions) return "shell";
  return sessionTools === "2025" ? "unified_exec" : "exec_command";
}

function execServices(config: Config, parts: Omit<ToolParts, "mcp">): ExecServices {
  const { threadId, env, era, sandbox, loginShells, tracing, buffers, terminals, warn } = parts;
  const rulesDir = join(config.home, "rules");
  const warned = new Set<string | undefined>();
  const mayAllow = async (folder: string) => mayBring("allowRules", trustLevelOf(config, folder));
  const limit = outputLimitFor(config.model, config.tool_output_token_limit);
  const sparesProfile = era.since["0.104"] && config.features.get("shell_snapshot") !== false;
  return {
    behavior: era.exec,
    since: era.since,
    sandbox,
    namesPrograms,
    async rules() {
      const required = { ...noRules, prefixRules: config.requirements?.rules ?? [] };
      // An era without rules, which a variable selects, does not lift those of the administrator.
      if (!era.since["0.104"]) return required.prefixRules.length === 0 ? undefined : required;
      if (config.features.get("exec_policy") === false) return required;
      const { rules } = await readRuleLayers({ cwd: config.cwd, env, mayAllow });
      const warning = networkRuleWarning(rules);
      if (warning !== undefined && !warned.has(warning)) warn(warning);
      warned.add(warning);
      return mergeRules(rules, required);
    },
    rulesFile: join(rulesDir, "default.rules"),
    buffers: () => buffers?.(threadId),
    terminals: () => terminals?.(threadId),
    approved: new ApprovedCommands(),
    approvedPaths: new ApprovedPaths(),
    environment: (policy) =>
      commandEnvironment({
        policy: config.shell_environment_policy,
        inherited: tracing.environmentOf?.(threadId, env) ?? env,
        network: hasNetwork(policy),
        thread: { id: threadId, variables: era.exec.threadVariables },
      }),
    outputLimit: limit,
    sessions: new ExecSessions(),
    toLaunch: (argv) =>
      config.shell_environment_policy.experimental_use_profile ? inUserProfile(argv, env) : argv,
    toStart: (command) => (sparesProfile ? loginShells().spare(command) : command),
    shellArgv: (script, { login, shell = userShellPath() }) => [
      shell,
      login ? "-lc" : "-c",
      script,
    ],
    cut: era.exec.outputForm === "2026" ? { by: "limit", limit } : { by: "lines" },
    warn,
  };
}
