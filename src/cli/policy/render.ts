import type { PolicyExplanation, RuleLayers } from "../../shell/index.js";
import { visible } from "../print/visible.js";
import type { ExplainArguments } from "./arguments.js";

/** The explanation as text for a person. */
export function renderExplanation(
  explanation: PolicyExplanation,
  given: ExplainArguments,
  layers: RuleLayers,
): string {
  const { prefixRules } = layers.rules;
  const lines = [
    `Command   ${explanation.command}`,
    `Policy    approval ${given.approvalPolicy}, sandbox ${given.sandboxMode}`,
    `Rules     ${counted(prefixRules.length, "rule")} from ${counted(layers.files.length, "file")}`,
    ...layers.notes.map((note) => `Note      ${note}`),
    `Read as   ${readAs(explanation)}`,
    "",
    ...explanation.parts.flatMap(renderPart),
    "",
    `Outcome   ${explanation.outcome}`,
    ...renderProposal(explanation.proposedRule),
  ];
  return `${lines.map(visible).join("\n")}\n`;
}

function readAs({ read, parts }: PolicyExplanation): string {
  if (read === "plain script") return `a plain script of ${counted(parts.length, "command")}`;
  if (read === "command") return "one command";
  return "a script that cannot be taken apart safely, so it is judged as a whole";
}

function renderPart(part: PolicyExplanation["parts"][number]): string[] {
  return [
    `  ${part.decision.padEnd(9)} ${part.command}`,
    `            ${part.because}`,
    ...part.rules.map((rule) => {
      const place = rule.place === undefined ? "" : ` (${rule.place})`;
      const why = rule.justification === undefined ? "" : ` — ${rule.justification}`;
      return `            ${rule.rule}${place}${why}`;
    }),
  ];
}

function renderProposal(prefix: readonly string[] | undefined): string[] {
  if (prefix === undefined) return [];
  const words = prefix.map((word) => JSON.stringify(word)).join(", ");
  return [`To allow  prefix_rule(pattern=[${words}], decision="allow") in rules/default.rules`];
}

function counted(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? "" : "s"}`;
}
