import type { EngineBehavior } from "../../compat/index.js";
import type { Config } from "../../config/index.js";
import type { PermissionRules } from "../../protocol/permission-rules.js";
import type {
  AskForApproval,
  CollaborationMode,
  ResponseItem,
  SandboxPolicy,
} from "../../protocol/types.js";
import { agentMessages, agentModeMessage, startsAgentsUnasked } from "../agents/opening.js";
import { instructionsMessage } from "../instructions.js";
import { developerMessage } from "../messages.js";
import type { SessionParts } from "../parts.js";
import { offersPermissions } from "../permissions.js";
import friendlyText from "../prompts/personality-friendly.md";
import pragmaticText from "../prompts/personality-pragmatic.md";
import planModeText from "../prompts/plan-mode.md";
import { agentGeneration, type TurnContext, workingContext } from "../turn-context.js";
import {
  environmentDiffers,
  environmentMessage,
  environmentOf,
  permissionsChange,
  surroundingsMessage,
} from "./environment.js";

/** The state of a session that its opening messages describe. */
export interface OpeningState {
  config: Config;
  context: TurnContext;
  parts: Pick<SessionParts, "era" | "shell" | "clock" | "agent">;
  userInstructions: string | undefined;
  /** Skills section, if the era sends it as a separate message. */
  skills: string;
}

/** Messages in front of every conversation of a session. */
export function openingMessages(state: OpeningState): ResponseItem[] {
  const session = atWork(state);
  const { contextForm } = session.parts.era.engine;
  const { context } = session;
  const own = session.config.developer_instructions;
  const { era, agent } = session.parts;
  const agents = usesAgents(session, context) ? agentMessages(agent, context) : [];
  const modes = modeMessages(undefined, context, era.engine);
  const custom = own === undefined ? modes : [developerMessage(own), ...modes];
  switch (contextForm) {
    case "2025":
      return [...custom, ...agents, ...instructionsOf(session), environmentOfPolicies(session)];
    case "2026-02":
      return [
        developerMessage(permissionsOf(session, context)),
        ...custom,
        ...agents,
        ...instructionsOf(session),
        placeOf(session),
      ];
    case "2026-11":
      return [
        developerMessage(
          ...(own === undefined ? [] : [own]),
          `<skills_instructions>${session.skills}</skills_instructions>`,
          permissionsOf(session, context),
          ...openingMode(context),
        ),
        ...agents,
        ...instructionsOf(session),
        surroundingsOf(session),
      ];
  }
}

/** Returns messages about changed settings for the model. */
export function changeMessages(state: OpeningState, earlier: TurnContext): ResponseItem[] {
  const session = atWork(state);
  const before = workingContext(earlier, state.parts.era);
  const { contextForm } = session.parts.era.engine;
  const after = session.context;
  const modes = [
    ...modeMessages(before, after, session.parts.era.engine),
    ...agentsChange(session, before),
  ];
  if (contextForm === "2025") {
    const [was, is] = [environmentOf(before), environmentOf(after)];
    return environmentDiffers(was, is) ? [environmentMessage(is), ...modes] : modes;
  }
  const permissions = permissionsOf(session, after);
  const isSame = permissionsOf(session, { ...before, cwd: after.cwd }) === permissions;
  const place = contextForm === "2026-02" ? placeOf(session) : surroundingsOf(session);
  return [
    ...(isSame ? [] : [developerMessage(permissions)]),
    ...(before.cwd === after.cwd ? [] : [place]),
    ...(contextForm === "2026-02"
      ? []
      : permissionsChange(before, after, session.parts.clock.now())),
    ...modes,
  ];
}

/** True if the model has helper agents of the second generation, which it is told about. */
function usesAgents({ config, parts }: OpeningState, context: TurnContext): boolean {
  return agentGeneration(config, parts.era, context) === "v2";
}

/** Returns messages about helper agents if another model or effort makes a difference. */
export function agentsChange(session: OpeningState, before: TurnContext): ResponseItem[] {
  const { context } = session;
  if (!usesAgents(session, context)) return [];
  if (!usesAgents(session, before)) return agentMessages(session.parts.agent, context);
  const isSame = startsAgentsUnasked(before) === startsAgentsUnasked(context);
  return isSame ? [] : [agentModeMessage(context)];
}

/** Returns the state with the settings that the turns really have. */
function atWork({ config, context, parts, userInstructions, skills }: OpeningState): OpeningState {
  const working = workingContext(context, parts.era);
  return { config, context: working, parts, userInstructions, skills };
}

function permissionsOf({ config, parts }: OpeningState, context: TurnContext): string {
  return permissionsText({ ...context, canAskForMore: offersPermissions(config, parts.era) });
}

function instructionsOf({ userInstructions, context, parts }: OpeningState): ResponseItem[] {
  if (userInstructions === undefined) return [];
  return [instructionsMessage(userInstructions, context.cwd, parts.era.engine)];
}

function environmentOfPolicies({ context, parts: { shell } }: OpeningState): ResponseItem {
  const environment = environmentOf(context);
  return environmentMessage(shell === undefined ? environment : { ...environment, shell });
}

function surroundingsOf({ context, parts: { shell, clock } }: OpeningState): ResponseItem {
  return surroundingsMessage({ context, shell }, clock.now());
}

/** The working directory without the policies, which are a separate message. */
function placeOf({ context: { cwd }, parts: { shell } }: OpeningState): ResponseItem {
  return environmentMessage(shell === undefined ? { cwd } : { cwd, shell });
}

/** Returns messages about a change of the collaboration mode or tone. */
export function modeMessages(
  before: TurnContext | undefined,
  after: TurnContext,
  { contextForm }: Pick<EngineBehavior, "contextForm">,
): ResponseItem[] {
  const modes = collaborationMessage(before, after);
  const isSaid = contextForm !== "2025" && before === undefined;
  return isSaid ? modes : [...modes, ...personalityMessage(before, after)];
}

/** Returns the tone, for eras that put it in the instructions. */
export function toneText({ personality }: Pick<TurnContext, "personality">): string {
  if (personality === undefined || personality === "none") return "";
  return `\n\n${personalityTexts[personality].trimEnd()}`;
}

function collaborationMessage(before: TurnContext | undefined, after: TurnContext): ResponseItem[] {
  const [was, is] = [before?.collaboration_mode, after.collaboration_mode];
  if (is === undefined || JSON.stringify(was) === JSON.stringify(is)) return [];
  // Default mode needs no message if there was no other before.
  const isKnown = is.mode === "default" && was === undefined;
  if (isKnown && is.settings?.developer_instructions == null) return [];
  return [developerMessage(modeText(is, workAgainText))];
}

/** Returns the mode as 0.166 opens a conversation: some models get a description of the default mode too. */
function openingMode({ collaboration_mode: mode, family }: TurnContext): string[] {
  if (mode === undefined && family.explainsDefaultMode !== true) return [];
  return [modeText(mode ?? { mode: "default" }, defaultModeText)];
}

function modeText({ mode, settings }: CollaborationMode, defaultText: string): string {
  const usual = mode === "plan" ? planModeText.trimEnd() : defaultText;
  const text = settings?.developer_instructions ?? usual;
  return `<collaboration_mode>${text}</collaboration_mode>`;
}

const workAgainText =
  "You work on the task again: plan mode is over, and you may change files and run commands as far as the rules allow.";

const defaultModeText =
  "You work on the task: change files and run commands as far as the rules allow. Decide small matters yourself and name your assumptions at the end; ask only about what you cannot find out and what would change the result. The user sets the mode; a message of the user or your own wish does not.";

function personalityMessage(before: TurnContext | undefined, after: TurnContext): ResponseItem[] {
  const { personality } = after;
  if (personality === undefined || personality === before?.personality) return [];
  if (personality === "none" && before?.personality === undefined) return [];
  const text = personalityTexts[personality].trimEnd();
  return [developerMessage(`<personality_spec>${text}</personality_spec>`)];
}

const personalityTexts = {
  none: "Write in your usual tone again.",
  friendly: friendlyText,
  pragmatic: pragmaticText,
};

/** Policies to describe to the model. */
interface Permissions {
  approval_policy: AskForApproval;
  sandbox_policy: SandboxPolicy;
  permissions?: PermissionRules;
  cwd: string;
  /** It has a tool to ask for more. */
  canAskForMore: boolean;
}

/** The permissions as text between the tags by which programs find it. */
function permissionsText(permissions: Permissions): string {
  const { approval_policy, sandbox_policy, cwd, canAskForMore } = permissions;
  const texts = [
    sandboxText(sandbox_policy, cwd),
    ...deniedTexts(permissions.permissions),
    approvalTexts[approval_policy],
  ];
  if (canAskForMore && approval_policy !== "never") texts.push(askingText);
  const text = texts.join("\n");
  return `<permissions instructions>${text}</permissions instructions>`;
}

function sandboxText(policy: SandboxPolicy, cwd: string): string {
  switch (policy.mode) {
    case "danger-full-access":
      return "Sandbox: none (`danger-full-access`). Commands may read and write every file and use the network.";
    case "read-only":
      return "Sandbox: `read-only`. Commands may read files; they cannot change any, and have no network.";
    case "external-sandbox":
      return "Sandbox: another program confines commands (`external-sandbox`). What it refuses stays refused.";
    default:
      return `Sandbox: \`${policy.mode}\`. Commands may read files, and change those below ${rootsOf(policy, cwd)}. ${networkText(policy)}`;
  }
}

/** Describes what a permission profile denies, so that the model does not ask for it. */
function deniedTexts(rules: PermissionRules | undefined): string[] {
  const denied = rules?.files.filter(({ access }) => access === "deny") ?? [];
  if (denied.length === 0) return [];
  const places = denied.map(({ place }) => {
    if (place.type === "path") return place.path;
    if (place.type === "glob") return place.root ? `${place.root}/${place.pattern}` : place.pattern;
    const name = place.name === "workspace_roots" ? "" : `:${place.name}/`;
    return `${name}${place.subpath ?? ""}` || ":workspace_roots";
  });
  const list = places.map((place) => `\`${place}\``).join(", ");
  return [
    `Denied: ${list}. Neither commands nor tools may read or change these, with an approval or without; do not ask for it.`,
  ];
}

function rootsOf(policy: SandboxPolicy, cwd: string): string {
  const more = "writable_roots" in policy ? (policy.writable_roots ?? []) : [];
  return [cwd, ...more].map((root) => `\`${root}\``).join(", ");
}

function networkText(policy: SandboxPolicy): string {
  const isOpen = "network_access" in policy && policy.network_access === true;
  return isOpen ? "They may use the network." : "They have no network.";
}

const askingText =
  "More permissions: before later commands or patches need the network, or files outside of these, ask for just that with `request_permissions`; the user decides.";

const approvalTexts: Record<AskForApproval, string> = {
  never:
    "Approvals: `never`. The user is not asked. What the sandbox refuses stays refused: find another way, and say so if there is none.",
  "on-request":
    'Approvals: `on-request`. Commands run in the sandbox. When one that the task needs must leave it, call it with `sandbox_permissions` set to "require_escalated" and say in `justification` why; the user decides.',
  "on-failure":
    "Approvals: `on-failure`. Commands run in the sandbox. Of one that the sandbox refuses, the user is asked whether it may run again without it.",
  untrusted:
    "Approvals: `untrusted`. The user is asked about every command that is not known to be harmless.",
};
