import { readCustomPrompts } from "../../project/index.js";
import type { SkillsListEntry } from "../../protocol/types.js";
import type { OpHandler } from "./index.js";

/** Lists the prompts that the user has saved. */
export const listCustomPrompts: OpHandler<"list_custom_prompts"> = async (session, _op, id) => {
  const { promptFrontMatter: frontMatter } = session.parts.era.engine;
  const custom_prompts = await readCustomPrompts({ home: session.config.home, frontMatter });
  session.emit(id, { type: "list_custom_prompts_response", custom_prompts });
};

/** Lists the skills of some folders. */
export const listSkills: OpHandler<"list_skills"> = async (session, op, id) => {
  const forceReload = op.force_reload ?? false;
  const cwds = op.cwds === undefined || op.cwds.length === 0 ? [session.context.cwd] : op.cwds;
  const skills = await Promise.all(
    cwds.map(async (cwd): Promise<SkillsListEntry> => {
      const found = await session.parts.skills.forCwd(cwd, { forceReload });
      return { cwd, skills: found.skills, errors: found.errors };
    }),
  );
  session.emit(id, { type: "list_skills_response", skills });
};

/** Lists the tools of the MCP servers. */
export const listMcpTools: OpHandler<"list_mcp_tools"> = async (session, _op, id) => {
  const tools = await session.parts.mcp.listTools();
  session.emit(id, { type: "mcp_list_tools_response", tools });
};
