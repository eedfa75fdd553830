import type { ArgumentsOf, ObjectSchema } from "./parameters.js";
import { type ArgumentProblem, readArguments } from "./read-arguments.js";
import { failed, type Tool, type ToolContext, type ToolOutput } from "./tool.js";

/** A function tool, said by its parameters and what it does with them. */
export interface ToolDefinition<Schema extends ObjectSchema> {
  name: string;
  description: string;
  input: Schema;
  /** Whether a call with these arguments changes nothing that another could notice. */
  isReadOnly?(input: ArgumentsOf<Schema>): boolean;
  /** Says a problem with the arguments to the model, where the usual words will not do. */
  explain?(problem: ArgumentProblem): string;
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
