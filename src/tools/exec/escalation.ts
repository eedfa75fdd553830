import { type ArgumentsOf, type ParameterSchema, told } from "../parameters.js";

/** How newer tools let the model ask to leave the sandbox. */
export const escalationParameters = {
  justification: {
    type: "string",
    description: "With `require_escalated`: why, as one question to the user.",
  },
  prefix_rule: {
    type: "array",
    items: { type: "string" },
    description:
      "With `require_escalated`: the first words of such commands, if the user should be able to " +
      'allow them once and for all, as in ["npm", "test"].',
  },
  sandbox_permissions: {
    type: "string",
    description: "`use_default`, or `require_escalated` to ask to run outside the sandbox.",
    [told]: ["use_default", "require_escalated"],
  },
} as const satisfies Record<string, ParameterSchema>;

/** The arguments that these parameters describe. */
export type EscalationArguments = {
  [Name in keyof typeof escalationParameters]?: ArgumentsOf<(typeof escalationParameters)[Name]>;
};

/** What the arguments ask for. */
export function escalationOf(args: EscalationArguments) {
  return {
    escalated: args.sandbox_permissions === "require_escalated",
    justification: args.justification,
    prefixRule: args.prefix_rule,
  };
}
