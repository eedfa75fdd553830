import type { SessionObservers } from "./session-observers.js";

/** Telemetry of a server: its observers exist once it is on. */
interface ServerTelemetry {
  observers: { readonly created: Promise<Pick<SessionObservers, "metricsText">> | undefined };
}

/** Returns the metrics of a server in the text format of Prometheus: process, threads, telemetry. */
export async function serverMetrics(
  { observers }: ServerTelemetry,
  threads: number,
): Promise<string> {
  const own = [...processMetrics(), gauge("quire_threads", "Live threads.", threads)];
  const measured = (await (await observers.created)?.metricsText()) ?? "";
  return `${own.join("")}${measured === "" ? hint : measured}`;
}

const hint =
  '# More metrics: set OTEL_METRICS_EXPORTER=prometheus, or metrics_exporter = "prometheus" in [otel].\n';

function processMetrics(): string[] {
  const { user, system } = process.cpuUsage();
  const { rss, heapUsed } = process.memoryUsage();
  const startedAt = performance.timeOrigin / 1000;
  return [
    sample("process_cpu_seconds_total", "counter", "CPU time.", (user + system) / 1e6),
    gauge("process_resident_memory_bytes", "Resident memory.", rss),
    gauge("process_start_time_seconds", "Start, in Unix seconds.", startedAt),
    gauge("nodejs_heap_size_used_bytes", "Used heap of JavaScript.", heapUsed),
  ];
}

function gauge(name: string, text: string, value: number): string {
  return sample(name, "gauge", text, value);
}

function sample(name: string, kind: string, text: string, value: number): string {
  return `# HELP ${name} ${text}\n# TYPE ${name} ${kind}\n${name} ${value}\n`;
}
