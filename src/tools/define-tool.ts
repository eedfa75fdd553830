import type { Era, EraName, ToolBehavior } from "../compat/index.js";
import type { FunctionToolSpec } from "../protocol/types.js";
import { type ArgumentsOf, hint, type ObjectSchema, suggested, values } from "./parameters.js";
import { type ArgumentProblem, readArguments } from "./read-arguments.js";
import { failed, type Tool, type ToolContext, type ToolOutput, type ToolTurn } from "./tool.js";
import type { BoxedTool } from "./tool-box.js";

/** Definition of a function tool. */
export interface ToolDefinition<Schema extends ObjectSchema> {
  /** The name that the model calls. */
  name: string;
  /** What the tool does, for the model. */
  description: string;
  /** The JSON Schema of its parameters; see `parameters`. */
  input: Schema;
  /** Returns true if a call with these arguments has no side effects; such calls run in parallel. */
  isReadOnly?(input: ArgumentsOf<Schema>): boolean;
  /** Formats an error in the arguments for the model, in place of the default text. */
  explain?(problem: ArgumentProblem): string;
  /** Runs the tool; what it throws becomes text for the model. */
  run(input: ArgumentsOf<Schema>, context: ToolContext): Promise<ToolOutput>;
}

/** Makes a tool that takes JSON arguments; wrong ones go back to the model as text. */
export function defineTool<const Schema extends ObjectSchema>(
  definition: ToolDefinition<Schema>,
): Tool {
  const { name, description, input, isReadOnly, explain = toText, run } = definition;
  return {
    spec: { type: "function", name, description, strict: false, parameters: input },
    isReadOnly({ text }) {
      const read = readArguments(input, text);
      return read.problem === undefined && isReadOnly?.(read.arguments) === true;
    },
    async run({ text }, context) {
      const read = readArguments(input, text);
      if (read.problem !== undefined) {
        return failed(`failed to parse function arguments: ${explain(read.problem)}`);
      }
      return run(read.arguments, context);
    },
  };
}

function toText({ what, line, column }: ArgumentProblem): string {
  return `${what} at line ${line} column ${column}`;
}

/**
 * Offers a tool with only some of its parameters.
 *
 * The tool itself is unchanged: it still accepts the others.
 */
export function offerOnly(
  tool: Tool,
  names: readonly string[],
  required: readonly string[] = [],
): Tool {
  const { spec } = tool;
  if (spec.type !== "function") return tool;
  const parameters = spec.parameters as { properties: Record<string, unknown> };
  const properties = Object.entries(parameters.properties).filter(([name]) => names.includes(name));
  return {
    ...tool,
    spec: {
      ...spec,
      parameters: { ...parameters, properties: Object.fromEntries(properties), required },
    },
  };
}

/** The tool with the values of its parameters in its schema, for models that read them there. */
export function withValues(tool: Tool): Tool {
  const { spec } = tool;
  return spec.type === "function" ? { ...tool, spec: specWithValues(spec) } : tool;
}

/**
 * Specs with values, by the parameters without them.
 *
 * Most parameters are constants, so sessions share the specs, and with them their JSON for requests.
 */
const withValuesKnown = new WeakMap<object, FunctionToolSpec[]>();

function specWithValues(spec: FunctionToolSpec): FunctionToolSpec {
  const known = withValuesKnown.get(spec.parameters as object) ?? [];
  const found = known.find(
    ({ name, description, strict }) =>
      name === spec.name && description === spec.description && strict === spec.strict,
  );
  if (found !== undefined) return found;
  const parameters = sayValues(spec.parameters) as typeof spec.parameters;
  const made = { ...spec, parameters };
  withValuesKnown.set(spec.parameters as object, [...known, made]);
  return made;
}

function sayValues(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(sayValues);
  if (typeof schema !== "object" || schema === null) return schema;
  const fields = Object.entries(schema).map(([name, field]) => [name, sayValues(field)] as const);
  const { [values]: checked, [suggested]: known = checked, [hint]: description } = schema as Valued;
  return {
    ...Object.fromEntries(fields),
    ...(description && { description }),
    ...(known && { enum: known }),
  };
}

interface Valued {
  [values]?: readonly string[];
  [suggested]?: readonly string[];
  [hint]?: string;
}

/** Form of web search: unspecified, live, or cached pages. */
export type WebSearchForm = "plain" | "live" | "cached";

/** Optional tools to offer, as the user and the client have chosen. */
export interface ToolChoice {
  /** Absent: as the version does. */
  plan: boolean | undefined;
  /** True if the client can answer questions of the model. */
  userInput: boolean;
  /** True if the user sees questions that the model does not wait for. */
  asyncQuestions: boolean;
  /** Also to models that are not offered it by their family. */
  applyPatch: boolean;
  /** True if the model may look at image files. */
  viewImage: boolean;
  /** Lets the model set itself a goal. */
  goals: boolean;
  /** Lets the model ask for more permissions. */
  permissions: boolean;
  /** Returns the form of web search in a turn; `undefined` for none. */
  webSearch(turn: ToolTurn): WebSearchForm | undefined;
  /** How the tools behave in the era. */
  behavior: ToolBehavior;
  /** True for the era of the session and all earlier ones. */
  since: Era["since"];
  /** Overrides the command tools of the model's family. */
  commands?: CommandTools | undefined;
}

/** Command tools to offer: one-shot `shell`, `exec_command` with `write_stdin`, `unified_exec`, or none. */
export type CommandTools = "shell" | "exec_command" | "unified_exec" | "none";

/** Returns false in reviews of eras that offer them only commands. */
export function offersAll({ isReview }: ToolTurn, { behavior }: ToolChoice): boolean {
  return !isReview || behavior.reviewTools === "all but search";
}

/** Returns true if the model can choose the detail of images. */
export function supportsDetail({ family }: ToolTurn, { behavior }: ToolChoice): boolean {
  return behavior.richSchemas && family.known;
}

/** A built-in tool that needs nothing of the session but the context of its calls. */
export interface StandaloneTool {
  tool: Tool;
  /** Returns a tool of the same name that takes its place in a session. */
  insteadIn?(choice: ToolChoice): Tool | undefined;
  /** The first era that offers it; sessions of earlier eras do not have it. */
  since: EraName;
  /** Offered always if omitted. */
  offeredIn?(turn: ToolTurn, choice: ToolChoice): boolean;
}

/**
 * Declares a standalone tool in its file: `export const … = standaloneTool({ … })`.
 *
 * `npm run generate` lists these declarations; they are offered after the other tools, by file name.
 */
export function standaloneTool(entry: StandaloneTool): StandaloneTool {
  return entry;
}

/** Returns the standalone tools of the session's era, for a tool box. */
export function standaloneEntries(
  tools: readonly StandaloneTool[],
  choice: ToolChoice,
): BoxedTool[] {
  return tools
    .filter(({ since }) => choice.since[since])
    .map(({ tool, insteadIn, offeredIn }) => ({
      tool: insteadIn?.(choice) ?? tool,
      offeredIn: (turn) => offeredIn?.(turn, choice) ?? true,
    }));
}
