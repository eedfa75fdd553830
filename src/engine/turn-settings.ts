import type { Config } from "../config/index.js";
import type { EventMsg, ResponseItem, TurnContextItem } from "../protocol/types.js";
import { toUserMessageEvent } from "./messages.js";
import { changeMessages, type OpeningState } from "./opening/opening.js";
import type { SessionParts } from "./parts.js";
import {
  overrideTurnContext,
  type ProfileOverrides,
  type TurnContext,
  type TurnOverrides,
  toTurnContextItem,
} from "./turn-context.js";

/** The session whose turns have the settings. */
interface SettingsSession extends OpeningState {
  readonly parts: SessionParts;
  emit(submissionId: string, msg: EventMsg): void;
  record(items: readonly ResponseItem[]): void;
}

/** Settings that can be changed for one turn. */
type OneTurn = Pick<TurnContext, "model" | "family" | "effort" | "summary" | "approvals_reviewer">;

/** Settings of the turns of a session. Records changes for the model. */
export class TurnSettings {
  /** Settings of the next turn, or of the running one. */
  context: TurnContext;
  /** Settings of the last turn of a resumed conversation, until the model gets those that differ now. */
  resumed: TurnContextItem | undefined;
  readonly #session: SettingsSession;
  /** Settings that return at the end of the running turn. */
  #beforeTurn: OneTurn | undefined;

  constructor(session: SettingsSession, context: TurnContext) {
    this.#session = session;
    this.context = context;
  }

  /** Changes the settings of the turns that follow; throws if the administrator does not allow them. */
  override(overrides: TurnOverrides): void {
    const { config, parts } = this.#session;
    config.requirements?.assertAllowed(overrides);
    this.context = overrideTurnContext(this.context, overrides, parts.era.model);
  }

  /** Changes settings until the end of the running turn. */
  overrideTurn(overrides: TurnOverrides): void {
    const { model, family, effort, summary, approvals_reviewer } = this.context;
    this.#beforeTurn ??= { model, family, effort, summary, approvals_reviewer };
    this.override(overrides);
  }

  /** Returns to the settings before `overrideTurn`. */
  endTurn(): void {
    if (this.#beforeTurn === undefined) return;
    this.context = { ...this.context, ...this.#beforeTurn };
    this.#beforeTurn = undefined;
  }

  /** Replaces all settings and records the changes. */
  replace(context: TurnContext): void {
    const before = this.context;
    this.context = context;
    this.recordChange(before);
  }

  /** Applies the rights that a helper agent has now: those of its parent may have changed. */
  takeRights(): void {
    const { agent } = this.#session.parts;
    if (agent === undefined) return;
    const { permissions: _, isConfined: __, ...others } = this.context;
    const { tools: ___, ...rights } = agent.rights.of(agent.self);
    this.replace({ ...others, ...rights });
  }

  /** Returns overrides with the permissions that they result in, if profiles are involved. */
  async resolveProfile<Overrides extends ProfileOverrides>(
    overrides: Overrides,
  ): Promise<Overrides & Pick<TurnOverrides, "rules" | "sandbox_policy">> {
    const { active_permission_profile: profile, sandbox_policy, cwd } = overrides;
    const config: Config = this.#session.config;
    const isPlain = config.permissions === undefined && this.context.permissions === undefined;
    if (profile == null && (isPlain || (sandbox_policy == null && cwd == null))) return overrides;
    const { overriddenPermissions } = await import("./profile-overrides.js");
    return { ...overrides, ...(await overriddenPermissions(this.#session, overrides)) };
  }

  /**
   * Records messages that describe changed settings to the model.
   *
   * `submissionId` is the submission that changed them; 0.45 echoes the change to the client.
   */
  recordChange(before: TurnContext, submissionId?: string): void {
    if (before === this.context && this.resumed === undefined) return;
    const session = this.#session;
    const { era } = session.parts;
    const messages = changeMessages(session, this.#described(before));
    session.record(messages);
    const echoes = era.since["0.45"] && !era.since["0.104"];
    if (submissionId === undefined || !echoes) return;
    for (const message of messages) {
      const event = toUserMessageEvent(message, [], era.engine);
      if (event.kind === "environment_context") session.emit(submissionId, event);
    }
  }

  /** Describes settings to the model that differ from those before the conversation was resumed. */
  describeResumed(): void {
    if (this.resumed !== undefined) this.recordChange(this.context);
  }

  /** Logs the settings at once, if another engine may continue the conversation at any time. */
  persist(): void {
    const { log } = this.#session.parts;
    if (log.settled === undefined) return;
    log.append({ type: "turn_context", payload: toTurnContextItem(this.context) });
  }

  /** Returns the settings that the model knows: those in the log after a resume; before 0.104 always ours. */
  #described(before: TurnContext): TurnContext {
    const { resumed } = this;
    this.resumed = undefined;
    if (resumed === undefined || !this.#session.parts.era.since["0.104"]) return before;
    const { cwd, approval_policy, sandbox_policy } = resumed;
    return { ...before, cwd, approval_policy, sandbox_policy };
  }
}
