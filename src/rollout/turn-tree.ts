import type { EventMsg, RewindRecord, RolloutLine, UserMessageEvent } from "../protocol/types.js";
import { visitFiles } from "./history-base.js";
import { messageKind } from "./items/response-item.js";
import { type LinePosition, readRollout } from "./read.js";
import { Warnings } from "./warnings.js";

/** A turn of any branch of a conversation. */
export interface TreeTurn {
  /** Recorded id, or `turn-1`, `turn-2`… if none was recorded. */
  id: string;
  parentId: string | undefined;
  /** First message of the user in it. */
  text: string;
  status: "completed" | "interrupted" | "failed" | "inProgress";
  startedAtMs: number | undefined;
  /** Responses that ended in it. */
  responseIds: string[];
  changedFiles: number;
  /** Position of its first occurrence; `end` is undefined while no end was recorded. */
  file: string;
  start: number;
  end: number | undefined;
}

/** Stored files of a turn or a rewind, in the order in which they were recorded. */
export interface CheckpointMark {
  manifest: string;
  /** Turn that changed the files, or rewind that restored them. */
  turnId: string | undefined;
  rewindId: string | undefined;
  /** Number of turns that had started before it. */
  turnsBefore: number;
}

/** Reads the tree of turns of a conversation; the file is not locked. */
export async function readTurnTree(path: string): Promise<TurnTree> {
  const tree = new TurnTree();
  await visitFiles(path, (file) => ({
    skipsItems: true,
    line: (line: RolloutLine, position: LinePosition) => tree.add(line, file, position),
    other: (kind: string, payload: unknown) => tree.addOther(kind, payload),
  }));
  return tree;
}

/** Reads the lines of a turn again. */
export async function readTurnLines({ file, start, end }: TreeTurn): Promise<RolloutLine[]> {
  const lines: RolloutLine[] = [];
  const range = { from: start, ...(end === undefined ? {} : { until: end }) };
  await readRollout(
    file,
    { line: (line) => lines.push(line) },
    { warnings: new Warnings(), ...range },
  );
  return lines;
}

/**
 * The turns of all branches of a conversation.
 *
 * A rollback leaves its turns in the file: they become a branch. A turn that is recorded again, as by
 * a switch to its branch, is the same turn.
 */
export class TurnTree {
  /** In the order in which they started. */
  readonly turns: TreeTurn[] = [];
  /** Ids of the turns that the conversation contains now. */
  active: string[] = [];
  readonly checkpoints: CheckpointMark[] = [];
  readonly rewinds: RewindRecord[] = [];
  readonly #byId = new Map<string, TreeTurn>();
  #open: { turn: TreeTurn; isExplicit: boolean; isCopy: boolean } | undefined;

  find(turnId: string): TreeTurn | undefined {
    return this.#byId.get(turnId);
  }

  /** Returns the ids from the first turn to this one. */
  pathTo(turnId: string): string[] {
    const path: string[] = [];
    for (let turn = this.find(turnId); turn !== undefined; ) {
      path.unshift(turn.id);
      turn = turn.parentId === undefined ? undefined : this.find(turn.parentId);
    }
    return path;
  }

  add(line: RolloutLine, file: string, position: LinePosition): void {
    if (line.type === "event_msg") {
      this.#event(line.payload, file, position, Date.parse(line.timestamp));
    } else if (line.type === "compacted" && line.payload.response_id != null) {
      this.#returnTo(line.payload.response_id);
    }
  }

  addOther(kind: string, payload: unknown): void {
    if (kind !== "token_usage_record" || typeof payload !== "object" || payload === null) return;
    if ("response_id" in payload && typeof payload.response_id === "string") {
      this.#bookmark(payload.response_id);
    }
  }

  #event(msg: EventMsg, file: string, position: LinePosition, timeMs: number): void {
    switch (msg.type) {
      case "task_started":
        this.#begin(msg.turn_id ?? undefined, { file, position, timeMs, isExplicit: true });
        break;
      case "user_message":
        this.#userMessage(msg, { file, position, timeMs, isExplicit: false });
        break;
      case "token_count": {
        const { response_id: id } = msg as { response_id?: unknown };
        if (typeof id === "string") this.#bookmark(id);
        break;
      }
      case "error":
        if (this.#open?.isCopy === false) this.#open.turn.status = "failed";
        break;
      case "task_complete":
        this.#end(msg.response_id, position, "completed");
        break;
      case "turn_aborted":
        this.#end(msg.response_id, position, "interrupted");
        break;
      case "thread_rolled_back":
        this.#open = undefined;
        this.active.length = Math.max(0, this.active.length - msg.num_turns);
        if (msg.rewind !== undefined) this.#rewound(msg.rewind);
        break;
      case "thread_rewound":
        this.#rewound(msg.rewind);
        break;
      case "turn_checkpoint":
        this.#checkpoint(msg.manifest, msg.turn_id, msg.files);
        break;
      default:
        break;
    }
  }

  #userMessage(msg: UserMessageEvent, place: TurnPlace): void {
    if ((msg.kind ?? messageKind(msg.message)) !== "plain") return;
    if (!this.#open?.isExplicit) this.#begin(undefined, place);
    const turn = this.#open?.turn;
    if (turn?.text === "") turn.text = msg.message.slice(0, longestText);
  }

  #begin(id = `turn-${this.active.length + 1}`, place: TurnPlace): void {
    const known = id.startsWith("turn-") ? undefined : this.#byId.get(id);
    if (this.#open !== undefined) this.#open.turn.end ??= place.position.start;
    const turn = known ?? this.#create(id, place);
    this.active.push(turn.id);
    this.#open = { turn, isExplicit: place.isExplicit, isCopy: known !== undefined };
  }

  #create(id: string, { file, position, timeMs }: TurnPlace): TreeTurn {
    const older = this.#byId.get(id);
    if (older !== undefined) {
      // Without recorded ids a later turn may get the number of a removed one.
      this.#byId.delete(id);
      older.id = `${id}@${older.start}`;
      this.#byId.set(older.id, older);
    }
    const turn: TreeTurn = {
      id,
      parentId: this.active.at(-1),
      text: "",
      status: "inProgress",
      startedAtMs: Number.isNaN(timeMs) ? undefined : timeMs,
      responseIds: [],
      changedFiles: 0,
      file,
      start: position.start,
      end: undefined,
    };
    this.turns.push(turn);
    this.#byId.set(id, turn);
    return turn;
  }

  #end(
    responseId: string | undefined,
    { end }: LinePosition,
    status: "completed" | "interrupted",
  ): void {
    const open = this.#open;
    if (open === undefined) return;
    if (!open.isCopy) {
      if (open.turn.status === "inProgress") open.turn.status = status;
      open.turn.end = end;
    }
    if (responseId !== undefined) this.#bookmark(responseId);
    this.#open = undefined;
  }

  #bookmark(responseId: string): void {
    const ids = this.#open?.turn.responseIds;
    if (ids !== undefined && !ids.includes(responseId)) ids.push(responseId);
  }

  #returnTo(responseId: string): void {
    const turn = this.turns.findLast(({ responseIds }) => responseIds.includes(responseId));
    if (turn !== undefined) this.active = this.pathTo(turn.id);
  }

  #rewound(rewind: RewindRecord): void {
    this.rewinds.push(rewind);
    const { manifest, rewind_id: rewindId } = rewind;
    if (manifest == null) return;
    this.checkpoints.push({
      manifest,
      turnId: undefined,
      rewindId,
      turnsBefore: this.turns.length,
    });
  }

  #checkpoint(manifest: string, turnId: string, files: number): void {
    const turn = this.find(turnId);
    // A turn that was about to end when more input came has one for each part.
    if (turn !== undefined) turn.changedFiles += files;
    // The files of a turn that was interrupted are recorded after its end.
    const turnsBefore = turn === undefined ? this.turns.length : this.turns.indexOf(turn) + 1;
    this.checkpoints.push({ manifest, turnId, rewindId: undefined, turnsBefore });
  }

  /** Returns the manifests to take back for the files as they were before a turn, oldest first. */
  checkpointsSince(turn: TreeTurn): CheckpointMark[] {
    const index = this.turns.indexOf(turn);
    return this.checkpoints.filter(({ turnsBefore }) => turnsBefore > index);
  }

  /** Returns the manifests to take back for the files as they were after a turn, oldest first. */
  checkpointsAfter(turn: TreeTurn): CheckpointMark[] {
    return this.checkpointsSince(turn).filter(({ turnId }) => turnId !== turn.id);
  }

  /** Returns the manifests to take back for the files as they were before a rewind, oldest first. */
  checkpointsSinceRewind({ rewind_id }: RewindRecord): CheckpointMark[] {
    const index = this.checkpoints.findIndex(({ rewindId }) => rewindId === rewind_id);
    return index < 0 ? [] : this.checkpoints.slice(index);
  }
}

interface TurnPlace {
  file: string;
  position: LinePosition;
  timeMs: number;
  isExplicit: boolean;
}

const longestText = 200;
