import { CodexError } from "../../protocol/error.js";
import { announcementEndsMs } from "../broker.js";
import { ApiError, type Connection } from "./connection.js";
import { type StreamKind, type Subjects, streamKinds } from "./subjects.js";

/** Settings of the streams that differ from those of {@link common}. Times are in nanoseconds, as in the API. */
const settings: Readonly<Record<StreamKind, object>> = {
  log: { duplicate_window: seconds(120) },
  sub: {},
  wake: {
    retention: "workqueue",
    max_msgs_per_subject: 1,
    discard: "new",
    discard_new_per_subject: true,
  },
  lease: { max_msgs_per_subject: 1 },
  answer: {},
  thread: { max_msgs_per_subject: 1 },
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

/** Creates the streams of a tenant that are missing; existing ones stay as they are. */
export async function ensureStreams(
  connection: Connection,
  { subjects, replicas }: { subjects: Subjects; replicas: number },
): Promise<void> {
  await Promise.all(
    streamKinds.map(async (kind) => {
      const name = subjects.stream(kind);
      if (await exists(connection, name)) return;
      const config = { ...common, ...settings[kind], num_replicas: replicas };
      const body = { name, subjects: [subjects.all(kind)], ...config };
      try {
        await connection.api(`STREAM.CREATE.${name}`, body, { repair: false });
      } catch (error) {
        // Another process has created it in the meantime.
        if (await exists(connection, name)) return;
        const reason = error instanceof Error ? error.message : String(error);
        throw new CodexError(
          "connection",
          `Cannot create the stream ${name} at ${connection.address}: ${reason}`,
          { cause: error },
        );
      }
    }),
  );
}

async function exists(connection: Connection, name: string): Promise<boolean> {
  try {
    await connection.api(`STREAM.INFO.${name}`, {}, { repair: false });
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.code === "stream_not_found") return false;
    throw error;
  }
}

function seconds(count: number): number {
  return count * 1e9;
}
