import { withSignals } from "../lib/join-signals.js";
import type { ExporterSettings, Signal } from "./exporter-settings.js";

/** Sends one request with data to a collector; rejects if it is not accepted. */
export type Send = (body: Uint8Array, signal: AbortSignal) => Promise<void>;

/** Encodes data for a collector. */
interface Serializer<Data> {
  serializeRequest(data: Data): Uint8Array | undefined;
}

/** Result of an export, as the SDK expects it. */
interface ExportResult {
  code: number;
  error?: Error;
}

/** The end of the program, as exporters see it. */
export interface Ending {
  /** True from its start: no request is retried any more. */
  hasStarted: boolean;
  /** Aborts when pending requests must end. */
  readonly signal: AbortSignal;
}

/**
 * Creates an exporter for the SDK.
 *
 * A refused request is retried if the collector asks for it, until the program ends.
 */
export function createExporter<Data>(
  kind: Signal,
  settings: ExporterSettings,
  serializer: Serializer<Data>,
  ending: Ending,
) {
  let send: Promise<Send> | undefined;
  const deliver = async (data: Data) => {
    const body = serializer.serializeRequest(data);
    if (body === undefined) return;
    send ??= createSender(kind, settings);
    await sendWithRetries(await send, { body, settings, ending });
  };
  return {
    export(data: Data, onResult: (result: ExportResult) => void): void {
      deliver(data).then(
        () => onResult({ code: 0 }),
        (error: Error) => onResult({ code: 1, error }),
      );
    },
    forceFlush: async () => {},
    shutdown: async () => {},
  };
}

async function createSender(kind: Signal, settings: ExporterSettings): Promise<Send> {
  if (settings.transport === "grpc") {
    const { grpcSender } = await import("./send-grpc.js");
    return grpcSender(kind, settings);
  }
  const { httpSender } = await import("./send-http.js");
  return httpSender(settings);
}

/** Thrown if the collector asks to repeat a request after a while. */
export class RetryLater extends Error {
  readonly afterMs: number | undefined;

  constructor(message: string, afterMs?: number) {
    super(message);
    this.name = "RetryLater";
    this.afterMs = afterMs;
  }
}

interface Delivery {
  body: Uint8Array;
  settings: ExporterSettings;
  ending: Ending;
}

function sendWithRetries(send: Send, delivery: Delivery): Promise<void> {
  const { ending, settings } = delivery;
  const limit = AbortSignal.timeout(settings.timeoutMs);
  return withSignals([ending.signal, limit], (signal) => sendUntil(send, delivery, signal));
}

async function sendUntil(
  send: Send,
  { body, ending }: Delivery,
  signal: AbortSignal,
): Promise<void> {
  for (let delayMs = 500; ; delayMs *= 2) {
    try {
      return await send(body, signal);
    } catch (error) {
      const isLast = ending.hasStarted || delayMs > mostDelayMs;
      if (!(error instanceof RetryLater) || isLast) throw error;
      await pause(error.afterMs ?? delayMs, signal);
    }
  }
}

const mostDelayMs = 2000;

/** Waits without keeping the process alive; rejects when the signal aborts. */
function pause(delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, delayMs);
    timer.unref();
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort, { once: true });
  });
}
