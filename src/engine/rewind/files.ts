import {
  getManifest,
  type Manifest,
  planRestore,
  previewSteps,
  putManifest,
  recoverRestores,
  restoreFiles,
} from "../../checkpoint/index.js";
import type { RewindConflict, RewoundFile } from "../../protocol/types.js";
import type { CheckpointMark, TurnTree } from "../../rollout/index.js";
import type { Session } from "../session.js";
import { SessionFiles } from "./session-files.js";

/** A planned restore of files. */
export interface PlannedFiles {
  previews: RewoundFile[];
  conflicts: RewindConflict[];
  limits: string[];
  /** Stores what will be changed, so that it can be taken back; returns the hash of the list, if there is any. */
  store(): string | undefined;
  /** Restores the files; they count as restored once `commit` has logged `id`. */
  restore(id: string, commit: () => Promise<void>): Promise<void>;
}

/** Plans to take back the changes of some manifests, oldest first. */
export async function planFiles(
  session: Session,
  tree: TurnTree,
  marks: readonly CheckpointMark[],
): Promise<PlannedFiles> {
  // A session without checkpoints can still restore those of an earlier one.
  const files = session.files ?? new SessionFiles(session);
  const { store, folder } = files;
  // Planning stores the present contents, which the way back needs.
  const begunAtMs = Date.now();
  await recoverRestores(folder);
  const manifests: Manifest[] = [];
  const lost: RewindConflict[] = [];
  for (const mark of marks) {
    const manifest = getManifest(store, mark.manifest);
    if (manifest !== undefined) manifests.push(manifest);
    else lost.push({ path: nameOf(mark, tree), reason: "its checkpoint is not stored any more" });
  }
  const plan = await planRestore(manifests, {
    store,
    isDenied: (await files.deniedPaths())?.isDenied,
  });
  const { roots, steps, unsaved, limits } = plan;
  const unknown = unsaved.map(({ path, reason }) => ({ path, reason: unsavedTexts[reason] }));
  const previews = previewSteps(steps, store);
  return {
    previews: previews.map(({ isBinary, ...file }) => ({ ...file, is_binary: isBinary })),
    conflicts: [...lost, ...plan.conflicts],
    limits: [
      ...limits.map((limit) => limitTexts[limit]),
      ...unknown.map(({ path, reason }) => `${path}: ${reason}`),
    ],
    store() {
      if (steps.length === 0) return undefined;
      const changes = steps.map(({ path, from, to }) => ({ path, before: from, after: to }));
      return putManifest(store, { version: 1, roots, changes, unsaved: [], limits: [] });
    },
    async restore(id, commit) {
      const log = session.parts.log.path;
      await restoreFiles({ storeFolder: folder, store, id, log, steps, commit });
      await files.countAdded(begunAtMs);
    },
  };
}

function nameOf({ turnId, rewindId }: CheckpointMark, tree: TurnTree): string {
  const turn = turnId === undefined ? undefined : tree.find(turnId);
  return turn === undefined ? `rewind ${rewindId}` : `turn ${turn.id}`;
}

const limitTexts: Record<Manifest["limits"][number], string> = {
  files: "The workspace has too many files to look for changes made by commands.",
  bytes: "The workspace has more contents than are stored for commands of a turn.",
  names: "Files whose names are not valid UTF-8 are not looked at.",
  roots: "Some folders have too many files to look for changes made by commands.",
};

const unsavedTexts: Record<Manifest["unsaved"][number]["reason"], string> = {
  "too-large": "it is too large to be stored",
  unreadable: "it could not be read",
  special: "it is neither a file nor a folder nor a link",
  "not-stored": "its earlier contents were not stored",
  "not-text": "the target of this link is not valid UTF-8",
  outside: "it is outside of the workspace",
};
