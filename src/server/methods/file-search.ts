import { join, resolve } from "node:path";
import type { FuzzyFileSearchResult } from "../../protocol/rpc/v2/file-search.js";
import type { FoundFile } from "../../search/index.js";
import type { Connection, V2Handlers } from "../connection.js";
import { type DeniedFiles, deniedFilesOf } from "./denied-files.js";
import { Searches } from "./file-searches.js";

/** Creates the handlers of the file search methods. */
export function createFileSearchHandlers() {
  const all = new WeakMap<Connection, Searches>();
  const searchesOf = (connection: Connection) => {
    const searches = all.get(connection) ?? createSearches(connection);
    all.set(connection, searches);
    return searches;
  };
  return {
    fuzzyFileSearch: async ({ query, roots, cancellationToken }, connection, request) => {
      const { signal } = request;
      const searches = searchesOf(connection);
      const options = { token: cancellationToken, signal };
      const found = await searches.once(query, toPaths(roots, connection), options);
      return { files: toResults(found, await deniedFilesOf(connection.server)) };
    },
    "fuzzyFileSearch/sessionStart": async ({ sessionId, roots }, connection) => {
      const denied = await deniedFilesOf(connection.server);
      await searchesOf(connection).start(sessionId, toPaths(roots, connection), {
        onFound(query, found) {
          const files = toResults(found, denied);
          connection.notify("fuzzyFileSearch/sessionUpdated", { sessionId, query, files });
        },
        onComplete: () => connection.notify("fuzzyFileSearch/sessionCompleted", { sessionId }),
      });
      return {};
    },
    "fuzzyFileSearch/sessionUpdate": ({ sessionId, query }, connection, request) => {
      const searches = searchesOf(connection);
      searches.require(sessionId);
      request.afterReply(() => searches.update(sessionId, query));
      return {};
    },
    "fuzzyFileSearch/sessionStop": ({ sessionId }, connection) => {
      searchesOf(connection).stop(sessionId);
      return {};
    },
  } satisfies Partial<V2Handlers>;
}

/** Limit of results, as many as fit a list on screen. */
const limit = 50;

function createSearches(connection: Connection): Searches {
  const folders = connection.server.parts.era.since["0.166"];
  const searches = new Searches({ folders, smartCase: !folders, limit });
  connection.peer.signal.addEventListener("abort", () => searches.close(), { once: true });
  return searches;
}

function toPaths(roots: readonly string[], { server }: Connection): string[] {
  return roots.map((root) => resolve(server.parts.cwd, root));
}

function toResults(
  found: readonly FoundFile[],
  denied: DeniedFiles | undefined,
): FuzzyFileSearchResult[] {
  const shown =
    denied === undefined ? found : found.filter(({ root, path }) => !denied.has(join(root, path)));
  return shown.map((file) => toResult(file));
}

function toResult(file: FoundFile): FuzzyFileSearchResult {
  const { root, path, name, isFolder, score, indices } = file;
  return {
    root,
    path,
    match_type: isFolder ? "directory" : "file",
    file_name: name,
    score,
    indices,
  };
}
