import { DataPointType, type MetricData, type ResourceMetrics } from "@opentelemetry/sdk-metrics";

/** Writes collected metrics in the text format of Prometheus. */
export function metricsText({ scopeMetrics }: ResourceMetrics): string {
  return scopeMetrics
    .flatMap(({ metrics }) => metrics)
    .map(metricText)
    .join("");
}

function metricText(metric: MetricData): string {
  const name = prometheusName(metric);
  const lines = [`# HELP ${name} ${metric.descriptor.description}`];
  switch (metric.dataPointType) {
    case DataPointType.SUM:
    case DataPointType.GAUGE: {
      lines.push(
        `# TYPE ${name} ${metric.dataPointType === DataPointType.SUM ? "counter" : "gauge"}`,
      );
      for (const { attributes, value } of metric.dataPoints) {
        lines.push(sample(name, attributes, value));
      }
      break;
    }
    case DataPointType.HISTOGRAM: {
      lines.push(`# TYPE ${name} histogram`);
      for (const { attributes, value } of metric.dataPoints) {
        let below = 0;
        for (const [at, bound] of [...value.buckets.boundaries, "+Inf"].entries()) {
          below += value.buckets.counts[at] ?? 0;
          lines.push(sample(`${name}_bucket`, { ...attributes, le: String(bound) }, below));
        }
        lines.push(sample(`${name}_sum`, attributes, value.sum ?? 0));
        lines.push(sample(`${name}_count`, attributes, value.count));
      }
      break;
    }
    default:
      return ""; // none of ours is of another kind
  }
  return `${lines.join("\n")}\n`;
}

/** Names by the rules of OpenTelemetry: the unit and `_total` are appended, dots become underscores. */
function prometheusName({ descriptor: { name, unit }, dataPointType }: MetricData): string {
  const suffix = unit === "s" ? "_seconds" : "";
  const total = dataPointType === DataPointType.SUM ? "_total" : "";
  return `${name.replace(/[^a-zA-Z0-9_]/g, "_")}${suffix}${total}`;
}

function sample(
  name: string,
  attributes: Readonly<Record<string, unknown>>,
  value: number,
): string {
  const labels = Object.entries(attributes).map(
    ([key, text]) => `${key.replace(/[^a-zA-Z0-9_]/g, "_")}="${escapeLabel(String(text))}"`,
  );
  return `${name}${labels.length === 0 ? "" : `{${labels.join(",")}}`} ${value}`;
}

function escapeLabel(text: string): string {
  return text.replace(/\\/g, "\\\\").replace(/\n/g, "\\n").replace(/"/g, '\\"');
}
