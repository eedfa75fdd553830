import { CodexError } from "../protocol/error.js";
import type { ThreadStartParams } from "../protocol/rpc/v2/thread-start.js";
import type { UserInput as WireInput } from "../protocol/rpc/v2/user-input.js";
import type { Approver } from "./approvals.js";
import { type OwnTool, toDynamicTools } from "./own-tools.js";

/** A value in config.toml. */
export type ConfigValue = string | number | boolean | ConfigValue[] | ConfigObject;

/** Settings by their names in config.toml, nested as there or with dots. */
export interface ConfigObject {
  /** A setting or a table of settings. */
  [name: string]: ConfigValue;
}

/** Access of commands. */
export type SandboxMode = "read-only" | "workspace-write" | "danger-full-access";

/** When approval is requested. */
export type ApprovalMode = "never" | "on-request" | "on-failure" | "untrusted";

/** How much the model reasons. */
export type ModelReasoningEffort = "none" | "minimal" | "low" | "medium" | "high" | "xhigh";

/** The pages that web search finds. */
export type WebSearchMode = "disabled" | "cached" | "live";

/** Options for a thread; defaults come from the user's settings. */
export interface ThreadOptions {
  /** The name of the model. */
  model?: string;
  /** Working directory of commands; defaults to that of the process. */
  workingDirectory?: string;
  /** Additional writable folders in the mode `workspace-write`. */
  additionalDirectories?: string[];
  /** Sandbox for commands that run without approval. */
  sandboxMode?: SandboxMode;
  /** Allows network access for sandboxed commands. */
  networkAccessEnabled?: boolean;
  /** Policy for calling `onApproval`; defaults to `on-request` if it is set, else `never`. */
  approvalPolicy?: ApprovalMode;
  /** Reasoning effort; the default depends on the model. */
  modelReasoningEffort?: ModelReasoningEffort;
  /** Offers web search to the model: from a cache of pages, or live. */
  webSearchMode?: WebSearchMode;
  /** `true` is the mode `live`, `false` is `disabled`; `webSearchMode` takes precedence. */
  webSearchEnabled?: boolean;
  /** Does not store the thread on disk. */
  ephemeral?: boolean;
  /** Replaces the default instructions for the model. */
  baseInstructions?: string;
  /** Instructions that are added to the default ones. */
  developerInstructions?: string;
  /** Additional settings. */
  config?: ConfigObject;
  /** Decides on requests for approval; without it all are denied. */
  onApproval?: Approver;
  /** Tools of the program itself, made with `defineTool`. */
  tools?: readonly OwnTool[];
}

/** Converts the options to the params of `thread/start`. */
export function toStartParams(options: ThreadOptions): ThreadStartParams {
  const { tools = [], ephemeral } = options;
  return {
    ...toSettings(options),
    ...(ephemeral === undefined ? {} : { ephemeral }),
    ...(tools.length === 0 ? {} : { dynamicTools: toDynamicTools(tools) }),
  };
}

/** Converts the options to the params of `thread/resume`, without the id. */
export function toResumeParams(options: ThreadOptions) {
  const { tools } = options;
  const dynamicTools = tools && { dynamicTools: toDynamicTools(tools) };
  return { ...toSettings(options), excludeTurns: true, ...dynamicTools };
}

/** Converts the options that both `thread/start` and `thread/resume` accept. */
export function toSettings(options: ThreadOptions) {
  const { approvalPolicy = options.onApproval === undefined ? "never" : "on-request" } = options;
  const { model, workingDirectory: cwd, sandboxMode: sandbox } = options;
  const { baseInstructions, developerInstructions } = options;
  const config = toConfig(options);
  return {
    approvalPolicy,
    ...(model === undefined ? {} : { model }),
    ...(cwd === undefined ? {} : { cwd }),
    ...(sandbox === undefined ? {} : { sandbox }),
    ...(baseInstructions === undefined ? {} : { baseInstructions }),
    ...(developerInstructions === undefined ? {} : { developerInstructions }),
    ...(Object.keys(config).length === 0 ? {} : { config }),
  };
}

function toConfig(options: ThreadOptions): Record<string, unknown> {
  const { modelReasoningEffort, networkAccessEnabled, additionalDirectories } = options;
  const search =
    options.webSearchMode ??
    (options.webSearchEnabled === undefined
      ? undefined
      : options.webSearchEnabled
        ? "live"
        : "disabled");
  const settings = {
    model_reasoning_effort: modelReasoningEffort,
    "sandbox_workspace_write.network_access": networkAccessEnabled,
    "sandbox_workspace_write.writable_roots": additionalDirectories,
    web_search: search,
  };
  const given = Object.entries(settings).filter(([, value]) => value !== undefined);
  return { ...flatten(options.config ?? {}), ...Object.fromEntries(given) };
}

/**
 * Flattens nested settings to dotted names, so that each replaces one setting, not a whole table.
 */
function flatten(config: ConfigObject, prefix = ""): Record<string, unknown> {
  const entries = Object.entries(config).flatMap(([name, value]): [string, unknown][] => {
    const key = `${prefix}${name}`;
    if (value === null) {
      const message = `Expected \`config.${key}\` to be a value of config.toml, which has no null; omit it`;
      throw new CodexError("invalid_request", message);
    }
    const isTable = typeof value === "object" && !Array.isArray(value);
    return isTable ? Object.entries(flatten(value, `${key}.`)) : [[key, value]];
  });
  return Object.fromEntries(entries);
}

/** A part of the input. */
export type UserInput =
  | { type: "text"; text: string }
  /** An image file. */
  | { type: "local_image"; path: string }
  /** An image by URL; a `data:` URL contains it. */
  | { type: "image"; url: string };

/** Input of a turn. */
export type Input = string | UserInput[];

/** Converts input to the params of `turn/start`. */
export function toUserInput(input: Input): WireInput[] {
  const parts: UserInput[] = typeof input === "string" ? [{ type: "text", text: input }] : input;
  return parts.map(toWirePart);
}

function toWirePart(part: UserInput): WireInput {
  switch (part.type) {
    case "text":
      return { type: "text", text: part.text, text_elements: [] };
    case "local_image":
      return { type: "localImage", path: part.path };
    case "image":
      return { type: "image", url: part.url };
  }
}
