import type { ArgumentsOf, ObjectSchema } from "./parameters.js";
import { readArguments } from "./read-arguments.js";
import { failed, type Tool, type ToolContext, type ToolOutput } from "./tool.js";

/** A function tool, said by its parameters and what it does with them. */
export interface ToolDefinition<Schema extends ObjectSchema> {
  name: string;
  description: string;
  input: Schema;
  parallel?: boolean;
  run(input: ArgumentsOf<Schema>, context: ToolContext): Promise<ToolOutput>;
}

/** Makes a tool that takes JSON arguments; wrong ones go back to the model as text. */
export function defineTool<const Schema extends ObjectSchema>(
  definition: ToolDefinition<Schema>,
): Tool {
  const { name, description, input, parallel = false, run } = definition;
  return {
    spec: { type: "function", name, description, strict: false, parameters: input },
    parallel,
    async run({ text }, context) {
      const read = readArguments(input, text);
      if (read.problem !== undefined) {
        return failed(`failed to parse function arguments: ${read.problem}`);
      }
      return run(read.arguments, context);
    },
  };
}
