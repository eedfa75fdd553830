import { CodexError } from "../../protocol/error.js";
import { announcementEndsMs } from "../broker.js";
import { ApiError, type Connection } from "./connection.js";
import { type StreamKind, type Subjects, streamKinds } from "./subjects.js";

/** Settings of the streams that differ from those of {@link common}. Times are in nanoseconds, as in the API. */
const settings: Readonly<Record<StreamKind, object>> = {
  log: { duplicate_window: seconds(120) },
  sub: {},
  // A new wake-up replaces the one before, so that the acknowledgement of that one does not remove it.
  wake: { retention: "workqueue", max_msgs_per_subject: 1 },
  lease: { max_msgs_per_subject: 1 },
  answer: {},
  thread: { max_msgs_per_subject: 1 },
  mark: { max_msgs_per_subject: 1 },
  worker: { max_msgs_per_subject: 1, max_age: seconds(announcementEndsMs / 1000) },
  blob: { max_msgs_per_subject: 1 },
  bad: { max_msgs: 10_000, max_bytes: 100_000_000 },
};

const common = {
  retention: "limits",
  storage: "file",
  discard: "old",
  max_consumers: -1,
  max_msgs: -1,
  max_bytes: -1,
  max_age: 0,
  max_msgs_per_subject: -1,
  max_msg_size: -1,
  // Repeated requests are recognized for so long.
  duplicate_window: seconds(8),
};

/** Creates the streams of a tenant that are missing. Existing ones keep their settings, but for those of wake-ups. */
export async function ensureStreams(
  connection: Connection,
  { subjects, replicas }: { subjects: Subjects; replicas: number },
): Promise<void> {
  const all = streamKinds.map((kind) => ({ kind, name: subjects.stream(kind) }));
  const found = await Promise.all(all.map(({ name }) => configOf(connection, name)));
  for (const [index, { kind, name }] of all.entries()) {
    const stored = found[index];
    // An earlier version refused further wake-ups of a thread.
    const isOutdated = stored?.discard === "new";
    if (stored !== undefined && !isOutdated) continue;
    const config = { ...common, ...settings[kind], num_replicas: replicas };
    const republish = followed.has(kind)
      ? { src: subjects.all(kind), dest: subjects.stored(subjects.all(kind)) }
      : undefined;
    const body = { name, subjects: [subjects.all(kind)], republish, ...config };
    try {
      const action = isOutdated ? "UPDATE" : "CREATE";
      await connection.api(`STREAM.${action}.${name}`, body, { repair: false });
    } catch (error) {
      // Another process has created it in the meantime.
      if (!isOutdated && (await configOf(connection, name)) !== undefined) continue;
      const reason = error instanceof Error ? error.message : String(error);
      throw new CodexError(
        "connection",
        `Cannot create the stream ${name} at ${connection.address}: ${reason}`,
        { cause: error },
      );
    }
  }
}

/** Streams whose messages the server passes on once they are stored. */
const followed: ReadonlySet<StreamKind> = new Set(["log", "sub", "answer"]);

/** Reads the settings of a stream; undefined if there is none. */
async function configOf(connection: Connection, name: string): Promise<StreamConfig | undefined> {
  try {
    const info = `STREAM.INFO.${name}`;
    const { config } = await connection.api<{ config: StreamConfig }>(info, {}, { repair: false });
    return config;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.code === "stream_not_found") return undefined;
    const message = `Cannot use the stream ${name} at ${connection.address}: ${error.message}`;
    throw new CodexError("connection", message, { cause: error });
  }
}

interface StreamConfig {
  discard: string;
}

function seconds(count: number): number {
  return count * 1e9;
}
