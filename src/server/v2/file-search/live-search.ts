import type { FileSearch, FoundFile } from "../../../search/index.js";

/** Who is told what a search finds. */
export interface SearchListener {
  onFound(query: string, files: FoundFile[]): void;
  /** All files have been looked at for the last query. */
  onComplete(): void;
}

/** A search that goes along with the user's typing, while the files are still being listed. */
export class LiveSearch {
  readonly #search: FileSearch;
  readonly #listener: SearchListener;
  #query: string | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(search: FileSearch, listener: SearchListener) {
    this.#search = search;
    this.#listener = listener;
    void search.walked.then(() => this.#tell());
  }

  /** Searches for something else from now on. */
  update(query: string): void {
    this.#query = query;
    this.#tell();
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#search.close();
  }

  /** Tells what is known, and again after a while as long as more files come. */
  #tell(): void {
    clearTimeout(this.#timer);
    if (this.#isClosed || this.#query === undefined) return;
    this.#listener.onFound(this.#query, this.#search.find(this.#query));
    if (this.#search.isComplete) this.#listener.onComplete();
    else this.#timer = setTimeout(() => this.#tell(), pauseMs).unref();
  }
}

/** As often as a list on a screen can be read. */
const pauseMs = 100;
