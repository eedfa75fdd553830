import type { ThreadStartParams } from "../protocol/rpc/v2/thread-start.js";
import type { UserInput as WireInput } from "../protocol/rpc/v2/user-input.js";
import type { Approver } from "./approvals.js";
import { type OwnTool, toDynamicTools } from "./own-tools.js";

/** A value in config.toml. */
export type ConfigValue = string | number | boolean | ConfigValue[] | ConfigObject;

/** Settings by their names in config.toml, nested as there or with dots. */
export interface ConfigObject {
  [name: string]: ConfigValue;
}

/** Options for a thread; what is omitted is as in the settings of the user. */
export interface ThreadOptions {
  /** The name of the model. */
  model?: string;
  /** The folder that commands run in; that of the process by default. */
  workingDirectory?: string;
  /** More folders that commands may write to, in the mode `workspace-write`. */
  additionalDirectories?: string[];
  /** Sandbox for commands that run without approval. */
  sandboxMode?: "read-only" | "workspace-write" | "danger-full-access";
  /** Whether sandboxed commands may use the network. */
  networkAccessEnabled?: boolean;
  /** When `onApproval` is asked; `on-request` when there is such a function, else `never`. */
  approvalPolicy?: "never" | "on-request" | "on-failure" | "untrusted";
  /** Reasoning effort; the default depends on the model. */
  modelReasoningEffort?: "none" | "minimal" | "low" | "medium" | "high" | "xhigh";
  /** Offers web search to the model: from a cache of pages, or live. */
  webSearchMode?: "disabled" | "cached" | "live";
  /** `true` is the mode `live`, `false` is `disabled`; `webSearchMode` takes precedence. */
  webSearchEnabled?: boolean;
  /** Nothing is kept of the thread on disk. */
  ephemeral?: boolean;
  /** Replaces the instructions the model is given by default. */
  baseInstructions?: string;
  /** Instructions that are added to them. */
  developerInstructions?: string;
  /** More settings. */
  config?: ConfigObject;
  /** Decides about what the model may do; without it nothing that needs approval is done. */
  onApproval?: Approver;
  /** Tools of the program itself, made with `defineTool`. */
  tools?: readonly OwnTool[];
}

/** The options as `thread/start` takes them. */
export function toStartParams(options: ThreadOptions): ThreadStartParams {
  const { tools = [], ephemeral } = options;
  return {
    ...toSettings(options),
    ...(ephemeral === undefined ? {} : { ephemeral }),
    ...(tools.length === 0 ? {} : { dynamicTools: toDynamicTools(tools) }),
  };
}

/** What a thread can be given both when it begins and when it goes on. */
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

/** Nested settings by their dotted names, so that each replaces one setting and no whole table. */
function flatten(config: ConfigObject, prefix = ""): Record<string, unknown> {
  const entries = Object.entries(config).flatMap(([name, value]): [string, unknown][] => {
    const key = `${prefix}${name}`;
    const isTable = typeof value === "object" && !Array.isArray(value);
    return isTable ? Object.entries(flatten(value, `${key}.`)) : [[key, value]];
  });
  return Object.fromEntries(entries);
}

/** A part of what is said. */
export type UserInput =
  | { type: "text"; text: string }
  /** A picture in a file. */
  | { type: "local_image"; path: string }
  /** A picture by its address; a `data:` URL holds it. */
  | { type: "image"; url: string };

/** What is said in a turn. */
export type Input = string | UserInput[];

/** What is said, as `turn/start` takes it. */
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
