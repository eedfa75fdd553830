import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  BlobStore,
  type Manifest,
  planRestore,
  restoreFiles,
  TurnFiles,
  Workspace,
  type WorkspaceOptions,
} from "../../src/checkpoint/index.js";

/** A folder with files, and a store for their earlier states; dispose it with `using`. */
export class TestWorkspace implements Disposable {
  readonly #folder = realpathSync(mkdtempSync(join(tmpdir(), "quire-workspace-")));
  readonly root = join(this.#folder, "work");
  readonly storeFolder = join(this.#folder, "home", "checkpoints");
  readonly store = new BlobStore(this.storeFolder);
  readonly workspace: Workspace;

  constructor(options: Partial<WorkspaceOptions> = {}) {
    mkdirSync(join(this.root, ".git"), { recursive: true });
    const home = join(this.#folder, "home");
    const { storeFolder, store } = this;
    const usual = { storeFolder, store, home, env: process.env };
    this.workspace = new Workspace(this.root, { ...usual, ...options });
  }

  path(name: string): string {
    return join(this.root, name);
  }

  /** Runs a turn with one command. */
  async turn(command: () => void): Promise<Manifest | undefined> {
    const files = new TurnFiles(this.store, [this.workspace]);
    await files.beforeCommand();
    command();
    files.afterCommand();
    return files.finish();
  }

  /** Returns to the files before a turn. */
  async rewind(manifest: Manifest | undefined, isDenied?: (path: string) => boolean) {
    const plan = await planRestore(manifest === undefined ? [] : [manifest], {
      store: this.store,
      isDenied,
    });
    const { store, storeFolder } = this;
    await restoreFiles({
      storeFolder,
      store,
      id: "r",
      log: undefined,
      steps: plan.steps,
      commit() {},
    });
    return plan;
  }

  [Symbol.dispose](): void {
    this.workspace.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
