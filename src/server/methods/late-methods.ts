import type { Connection, V2Handlers } from "../connection.js";

/** Creates the handlers of rarely used methods: their modules are loaded with the first request. */
export function createLateHandlers() {
  return {
    ...late(
      [
        "thread/backgroundTerminals/list",
        "thread/backgroundTerminals/terminate",
        "thread/backgroundTerminals/clean",
      ],
      async () => (await import("./background-terminals.js")).backgroundTerminalHandlers,
    ),
    ...late(
      ["thread/increment_elicitation", "thread/decrement_elicitation"],
      async () => (await import("./elicitation.js")).elicitationHandlers,
    ),
    ...late(
      ["process/spawn", "process/writeStdin", "process/kill", "process/resizePty"],
      async () => (await import("./process.js")).createProcessHandlers(),
    ),
    ...late(
      [
        "threadSection/list",
        "threadSection/create",
        "threadSection/update",
        "threadSection/delete",
        "thread/section/move",
      ],
      async () => (await import("./section.js")).sectionHandlers,
    ),
    ...late(
      [
        "project/list",
        "project/read",
        "project/create",
        "project/import",
        "project/update",
        "project/move",
        "project/delete",
      ],
      async () => (await import("./project.js")).projectHandlers,
    ),
    ...late(
      [
        "thread/attachment/add",
        "thread/attachment/list",
        "thread/attachment/remove",
        "thread/attachmentOwner/list",
      ],
      async () => (await import("./attachment.js")).attachmentHandlers,
    ),
    ...late(
      [
        "thread/queue/add",
        "thread/queue/list",
        "thread/queue/update",
        "thread/queue/delete",
        "thread/queue/reorder",
        "thread/queue/start",
      ],
      async () => (await import("./queue.js")).queueHandlers,
    ),
    ...late(
      [
        "externalAgentConfig/detect",
        "externalAgentConfig/import",
        "externalAgentConfig/import/readHistories",
        "externalAgentConfig/import/recordHistory",
      ],
      async () => (await import("./external-agent.js")).externalAgentHandlers,
    ),
    ...late(["usage/read"], async () => (await import("./usage.js")).usageHandlers),
    ...late(
      ["thread/approveGuardianDeniedAction"],
      async () => (await import("./auto-review.js")).autoReviewHandlers,
    ),
    ...late(
      ["thread/metadata/update"],
      async () => (await import("./thread-metadata.js")).metadataHandlers,
    ),
    ...late(
      ["thread/search", "thread/searchOccurrences"],
      async () => (await import("./thread-search.js")).searchHandlers,
    ),
    ...late(["thread/sample", "thread/sample/cancel"], async () =>
      (await import("./thread-sample.js")).createSampleHandlers(),
    ),
    ...late(
      ["turn/settings/update"],
      async () => (await import("./turn-settings.js")).turnSettingsHandlers,
    ),
    ...late(
      ["server/diagnostics", "environment/info", "environment/status", "remoteControl/status/read"],
      async () => (await import("./server-state.js")).serverStateHandlers,
    ),
    ...late(
      ["thread/items/read", "thread/timeline/list"],
      async () => (await import("./thread-timeline.js")).timelineHandlers,
    ),
  } satisfies Partial<V2Handlers>;
}

/** Returns handlers that load a module when one of them is called first. */
function late<Name extends keyof V2Handlers>(
  names: readonly Name[],
  load: () => Promise<Pick<V2Handlers, Name>>,
): Pick<V2Handlers, Name> {
  let loaded: Promise<Pick<V2Handlers, Name>> | undefined;
  const entries = names.map((name) => [
    name,
    async (params: never, connection: Connection, request: never) => {
      loaded ??= load();
      return (await loaded)[name](params, connection, request);
    },
  ]);
  return Object.fromEntries(entries) as Pick<V2Handlers, Name>;
}
