import { isAbsolute } from "node:path";
import { setSkill } from "../../config/index.js";
import { RpcError, rpcCodes } from "../../jsonrpc/index.js";
import type { Skill } from "../../project/index.js";
import type {
  SkillInterface,
  SkillMetadata,
  SkillsConfigWriteParams,
  SkillsConfigWriteResponse,
  SkillsExtraRootsSetParams,
  SkillsListEntry,
  SkillsListParams,
  SkillsListResponse,
} from "../../protocol/rpc/v2/skills.js";
import type { Connection, V2Handlers } from "../connection.js";
import { deniedFilesOf } from "./denied-files.js";

/** Handlers of the skills methods. */
export const skillHandlers = {
  "skills/list": listSkills,
  "skills/config/write": switchSkill,
  "skills/extraRoots/set": setExtraRoots,
} satisfies Partial<V2Handlers>;

async function listSkills(
  { cwds = [], forceReload = false }: SkillsListParams,
  connection: Connection,
): Promise<SkillsListResponse> {
  const { skills: lists, parts } = connection.server;
  if (forceReload) lists.clear();
  const denied = await deniedFilesOf(connection.server);
  const data: SkillsListEntry[] = [];
  for (const cwd of cwds.length === 0 ? [parts.cwd] : cwds) {
    const { skills, errors } = await lists.forCwd(cwd);
    const shown = skills.filter(({ path }) => denied?.has(path) !== true);
    data.push({ cwd, skills: shown.map((skill) => toMetadata(skill)), errors });
  }
  return { data };
}

function toMetadata(skill: Skill): SkillMetadata {
  const { name, description, short_description, path, scope, enabled, dependencies } = skill;
  const shown = skill.interface;
  return {
    name,
    description,
    ...(short_description == null ? {} : { shortDescription: short_description }),
    ...(shown === undefined ? {} : { interface: toInterface(shown) }),
    ...(dependencies === undefined ? {} : { dependencies }),
    path,
    scope,
    enabled,
    pluginId: null,
  };
}

function toInterface(shown: NonNullable<Skill["interface"]>): SkillInterface {
  return {
    displayName: shown.display_name ?? null,
    shortDescription: shown.short_description ?? null,
    iconSmall: shown.icon_small ?? null,
    iconLarge: shown.icon_large ?? null,
    iconSmallUrl: null,
    iconLargeUrl: null,
    brandColor: shown.brand_color ?? null,
    defaultPrompt: shown.default_prompt ?? null,
  };
}

async function switchSkill(
  { path, name, enabled }: SkillsConfigWriteParams,
  { server }: Connection,
): Promise<SkillsConfigWriteResponse> {
  await setSkill(server.home, toSelector(path, name), enabled);
  server.skills.clear();
  return { effectiveEnabled: enabled };
}

/** Replaces the additional folders with skills; those that do not exist may appear later. */
async function setExtraRoots(
  { extraRoots }: SkillsExtraRootsSetParams,
  { server }: Connection,
): Promise<Record<string, never>> {
  const relative = extraRoots.find((root) => !isAbsolute(root));
  if (relative !== undefined) {
    const message = `skills/extraRoots/set: expected absolute paths in \`extraRoots\` (got ${JSON.stringify(relative)})`;
    throw new RpcError(rpcCodes.invalidRequest, message);
  }
  server.skills.setRoots([...new Set(extraRoots)]);
  server.skillWatch.look();
  server.notifyAll("skills/changed", {});
  return {};
}

function toSelector(path: string | undefined, name: string | undefined) {
  if ((path === undefined) === (name === undefined)) {
    const message = "skills/config/write requires exactly one of path or name";
    throw new RpcError(rpcCodes.invalidParams, message);
  }
  if (path === undefined) return { name: name ?? "" };
  if (isAbsolute(path)) return { path };
  throw new RpcError(rpcCodes.invalidRequest, `path must be absolute, but is ${path}`);
}
