import type { SideUsage } from "../../rollout/index.js";
import type { ToolBox } from "../../tools/index.js";
import { PermissionGrants } from "../permissions.js";
import type { Session } from "../session.js";
import { noLog } from "../session-log.js";
import { Task } from "../task.js";

/**
 * The task of the reviewer inside of a call that needs approval.
 *
 * It leaves no trace but the tokens that it used: it emits, logs and records nothing else, and what the
 * user has granted to the agent does not apply to it.
 */
export class ReviewerTask extends Task {
  readonly #reviewed: Task;
  readonly #signal: AbortSignal;

  constructor(reviewed: Task, signal: AbortSignal) {
    const { session, turnId, rootTurnId } = reviewed;
    super(detached(session), session.parts.newId());
    this.#reviewed = reviewed;
    this.#signal = signal;
    this.parentTurnId = turnId;
    this.rootTurnId = rootTurnId ?? turnId;
  }

  override get signal(): AbortSignal {
    return this.#signal;
  }

  override logSideUsage(used: SideUsage): void {
    this.#reviewed.logSideUsage(used);
  }

  override emit(): void {}
  override emitAfterEnd(): void {}
  override logItem(): void {}
  override record(): void {}
  override bookmark(): void {}
  override replaceHistory(): void {}
  override async emitTurnDiff(): Promise<void> {}
  override abort(): void {}
}

/** Returns the session without its log and its grants. */
function detached(session: Session): Session {
  return Object.create(session, {
    parts: { value: { ...session.parts, log: noLog } },
    grants: { value: new PermissionGrants() },
  }) as Session;
}

/** Returns the tools that run commands; all others change something or ask the user. */
export function commandTools(box: ToolBox): ToolBox {
  return {
    offered: (turn) =>
      box.offered(turn).filter((spec) => names.has("name" in spec ? spec.name : spec.type)),
    find: (kind, name, namespace) =>
      names.has(name) && namespace == null ? box.find(kind, name) : undefined,
    close: async () => {},
    background: undefined,
  };
}

const names: ReadonlySet<string> = new Set([
  "shell",
  "local_shell",
  "shell_command",
  "exec_command",
]);
