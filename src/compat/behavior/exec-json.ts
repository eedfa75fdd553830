/** Switches of `exec --json`, whose shapes are dated in the schemas, and of the exit code of `exec`. */
export interface ExecJsonBehavior {
  /** Type of the first line. */
  opening: "thread.started" | "session.created";
  /** Field that holds the type of an item. */
  itemTag: "type" | "item_type";
  /** Type of a message of the model. */
  messageType: "agent_message" | "assistant_message";
  /** Types of items that are emitted only when they are complete. */
  completedOnly: ReadonlySet<string>;
  /** A reasoning summary is one item, or one item per part. */
  reasoning: "whole" | "by part";
  /** Web searches keep the id that the model gave them. */
  modelSearchIds: boolean;
  /** Source of warnings and turn starts: v2 notifications, or events of the queues. */
  turnStartSource: "v2" | "queues";
  /** A command without an exit code has `null`; otherwise the field is omitted. */
  nullExitCode: boolean;
  /** An interrupted turn fails, and its running items end with it. */
  interruptEvents: boolean;
  /** A hook that fails is an item of type `error`. */
  hookFailures: boolean;
  /** Originator that `exec` reports to the model provider. */
  originator: string;
  /** Reports `exec` to the provider once more, as the client of a server. */
  reportsClient: boolean;
  /** Exit code of a failed turn: by its cause, the same for all, or success. */
  failureExitCode: "by cause" | "one" | "none";
}

/** Our newest form. */
export const currentExecJson: ExecJsonBehavior = {
  opening: "thread.started",
  itemTag: "type",
  messageType: "agent_message",
  completedOnly: new Set(),
  reasoning: "whole",
  modelSearchIds: true,
  turnStartSource: "v2",
  nullExitCode: true,
  interruptEvents: true,
  hookFailures: true,
  originator: "codex_exec",
  reportsClient: true,
  failureExitCode: "by cause",
};
