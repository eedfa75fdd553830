import { ChannelCredentials, Client, Metadata, type ServiceError, status } from "@grpc/grpc-js";
import { RetryLater, type Send } from "./exporter.js";
import type { ExporterSettings, Signal } from "./exporter-settings.js";
import { readCertificates } from "./send-http.js";

/** Returns a function that calls a collector over gRPC. */
export async function grpcSender(kind: Signal, settings: ExporterSettings): Promise<Send> {
  const isSecure = settings.url.startsWith("https:");
  const { ca, cert, key } = await readCertificates(settings.tls);
  const credentials = isSecure
    ? ChannelCredentials.createSsl(ca ?? null, key ?? null, cert ?? null)
    : ChannelCredentials.createInsecure();
  const compression = settings.isCompressed ? { "grpc.default_compression_algorithm": 2 } : {};
  const client = new Client(authorityOf(settings.url), credentials, compression);
  const metadata = new Metadata();
  for (const [name, value] of Object.entries(settings.headers)) metadata.set(name, value);
  return (body, signal) =>
    new Promise((resolve, reject) => {
      const call = client.makeUnaryRequest(
        methods[kind],
        (bytes: Uint8Array) => Buffer.from(bytes),
        () => undefined,
        body,
        metadata,
        (error) => {
          signal.removeEventListener("abort", cancel);
          if (error === null) resolve();
          else reject(toError(error));
        },
      );
      const cancel = () => call.cancel();
      signal.addEventListener("abort", cancel, { once: true });
    });
}

const methods: Record<Signal, string> = {
  traces: "/opentelemetry.proto.collector.trace.v1.TraceService/Export",
  metrics: "/opentelemetry.proto.collector.metrics.v1.MetricsService/Export",
  logs: "/opentelemetry.proto.collector.logs.v1.LogsService/Export",
};

function authorityOf(url: string): string {
  const text = url.replace(/^https?:\/\//, "").replace(/\/.*$/, "");
  return /:\d+$/.test(text) ? text : `${text}:4317`;
}

/** A connection that fails at once is not retried: a missing collector costs nothing. */
function toError({ code, message }: ServiceError): Error {
  return code === status.RESOURCE_EXHAUSTED ? new RetryLater(message) : new Error(message);
}
