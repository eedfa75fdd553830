import type { Rule } from "./rules.js";
import { toolRows } from "./tool-rows.js";

type Words = Readonly<Record<string, string>>;

/** Writes the page about the matrix. */
export function safetyPage(
  rules: readonly Rule[],
  outcomes: ReadonlyMap<Rule, readonly Words[]>,
): string {
  const columns = rules.flatMap((rule) =>
    rule.attempts.map((_, index) => ({
      title: rule.columns[index] ?? "",
      words: outcomes.get(rule)?.[index] ?? {},
    })),
  );
  const head = ["tool", ...columns.map(({ title }) => title)];
  const rows = toolRows.map(({ id, title }) => [
    title,
    ...columns.map(({ words }) => words[id] ?? "–"),
  ]);
  const lines = [head, head.map(() => "---"), ...rows];
  return `${opening}\n${lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n")}\n\n${closing}`;
}

const opening = `# Tools and rules

What a tool call comes to if a rule forbids it. \`test/safety/matrix.test.ts\` writes this table (\`npx vitest run
test/safety -u\`) from real turns and compares it: each call is made on every surface (\`exec --json\`, the terminal UI,
app-server v2 and v1, \`proto\`, \`mcp-server\`, the library), and the host is examined afterwards. The outcome is the same
on all of them. A new tool without a row fails the test. Helper agents make the same calls in \`test/safety/agents.test.ts\`.
`;

const closing = `- **hook**: a \`PreToolUse\` hook exits with 2. The model gets its reason; nothing runs.
- **deny read**, **deny write**: the permission profile denies the files that the call reads or writes.
- **requirements**: the administrator allows read-only access, no web search and no MCP server of the user, while the user's
  settings ask for full access. Calls that need none of it are permitted. The web search, which the provider of the model runs,
  is not offered.
- **required deny**: the administrator's \`permissions.filesystem.deny_read\` lists the files; the user has full access.
- **–**: the tool does not access files of the workspace. An MCP server and a tool of the client are programs of the user:
  they run outside of the sandbox, and a hook or the requirements can forbid them.
- **permitted**: the rule does not concern the tool.
`;
