import type { TrustLevel } from "./trust.js";

/** A kind of project content for the agent. */
export interface ProjectContent {
  /** Location, for the docs. */
  where: string;
  /** Trust levels of directories that may provide it; `undefined` is a directory without a decision. */
  from: readonly (TrustLevel | undefined)[];
  /** Part of it that has an effect, for the docs. */
  limits: string;
}

const trustedOnly = ["trusted"] as const;
const everywhere = ["trusted", undefined, "untrusted"] as const;
const nowhere = [] as const;

/**
 * All kinds of project content for the agent, with the trust levels that may provide them.
 *
 * Readers of such content call `mayBring`; the table in docs/approvals-and-sandbox.md is generated from it.
 */
export const projectContents = {
  settings: {
    where: "settings in `.codex/config.toml`",
    from: trustedOnly,
    limits:
      "the keys that [configuration](configuration.md) marks for projects; approvals and the sandbox only stricter than yours",
  },
  mcpServers: {
    where: "`[mcp_servers]` in `.codex/config.toml`",
    from: trustedOnly,
    limits: "servers that were there when you gave trust; none with the name of one of yours",
  },
  skills: {
    where: "skills in `.codex/skills` and `.agents/skills`",
    from: trustedOnly,
    limits: "all",
  },
  allowRules: {
    where: "rules in `.codex/rules` that allow",
    from: trustedOnly,
    limits: "all",
  },
  strictRules: {
    where: "rules in `.codex/rules` that ask or forbid",
    from: everywhere,
    limits: "all, as they only tighten",
  },
  instructions: {
    where: "`AGENTS.md`",
    from: everywhere,
    limits: "regular files of the project; a link that leads out of it is not read",
  },
  hooks: {
    where: "hooks in `.codex/hooks.json` and `[hooks]` of `.codex/config.toml`",
    from: trustedOnly,
    limits: "hooks that you have trusted one by one",
  },
  prompts: { where: "prompts", from: nowhere, limits: "none: only yours are read" },
  agents: {
    where: "agent roles in `.codex/agents`",
    from: trustedOnly,
    limits: "all; one of yours with the same name counts more",
  },
} as const satisfies Record<string, ProjectContent>;

/** Returns true if a project with this trust level may provide this kind of content. */
export function mayBring(
  kind: keyof typeof projectContents,
  level: TrustLevel | undefined,
): boolean {
  const { from }: ProjectContent = projectContents[kind];
  return from.includes(level);
}
