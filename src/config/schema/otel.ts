import Type, { type Static } from "typebox";
import { Count, setting, Texts } from "./setting.js";

const OtelTlsToml = Type.Object(
  {
    "ca-certificate": setting(Type.String(), {
      text: "File with the certificates to trust.",
      since: "0.166",
      path: true,
    }),
    "client-certificate": setting(Type.String(), {
      text: "File with the certificate of this client.",
      since: "0.166",
      path: true,
    }),
    "client-private-key": setting(Type.String(), {
      text: "File with its private key.",
      since: "0.166",
      path: true,
    }),
  },
  { $id: "OtelTlsToml", description: "Certificates for a collector." },
);
export interface OtelTlsToml extends Static<typeof OtelTlsToml> {}

const common = {
  endpoint: setting(Type.String(), {
    text: "URL of the collector, used as it is: no path is added.",
    since: "0.166",
  }),
  headers: setting(Texts, { text: "Headers of each request.", since: "0.166" }),
  tls: setting(OtelTlsToml, { text: "Certificates.", since: "0.166" }),
};

const OtlpHttpToml = Type.Object(
  {
    ...common,
    protocol: setting(Type.Enum(["json", "binary"]), {
      text: "Encoding of the requests; `binary` is protobuf.",
      since: "0.166",
    }),
  },
  {
    $id: "OtlpHttpToml",
    description: "A collector over HTTP; `endpoint` and `protocol` are required.",
  },
);
export interface OtlpHttpToml extends Static<typeof OtlpHttpToml> {}

const OtlpGrpcToml = Type.Object(common, {
  $id: "OtlpGrpcToml",
  description: "A collector over gRPC; `endpoint` is required.",
});
export interface OtlpGrpcToml extends Static<typeof OtlpGrpcToml> {}

const OtelExporterToml = Type.Object(
  {
    "otlp-http": setting(OtlpHttpToml, { text: "OTLP over HTTP.", since: "0.166" }),
    "otlp-grpc": setting(OtlpGrpcToml, { text: "OTLP over gRPC.", since: "0.166" }),
  },
  { $id: "OtelExporterToml", description: "A collector: `otlp-http` or `otlp-grpc`." },
);
export interface OtelExporterToml extends Static<typeof OtelExporterToml> {}

const kinds = ["none", "statsig"] as const;
const Exporter = Type.Union([Type.Enum([...kinds]), OtelExporterToml]);
const MetricsExporter = Type.Union([Type.Enum([...kinds, "prometheus"]), OtelExporterToml]);

const OtelToolResultToml = Type.Object(
  {
    max_bytes: setting(Count(), {
      text: "Most bytes of the arguments and of the output each; 0 sends all.",
      since: "0.166",
    }),
  },
  { $id: "OtelToolResultToml", description: "Content of tool calls in telemetry." },
);

export const OtelToml = Type.Object(
  {
    environment: setting(Type.String(), {
      text: "Name of the environment, as a resource attribute.",
      since: "0.166",
    }),
    exporter: setting(Exporter, {
      text: "Destination of logs: `none` or a collector. `statsig` is a service of the vendor: nothing is sent.",
      since: "0.166",
    }),
    trace_exporter: setting(Exporter, { text: "Destination of traces.", since: "0.166" }),
    metrics_exporter: setting(MetricsExporter, {
      text: "Destination of metrics; `prometheus` serves them at `/metrics` of the listeners.",
      since: "0.166",
    }),
    log_user_prompt: setting(Type.Boolean(), {
      text: "Includes the input of the user.",
      since: "0.166",
      default: false,
    }),
    log_agent_responses: setting(Type.Boolean(), {
      text: "Includes the messages of the model.",
      since: "0.166",
      default: false,
    }),
    log_guardian_assessments: setting(Type.Boolean(), {
      text: "Includes the reasons of the automatic reviewer of approvals.",
      since: "0.166",
      default: false,
    }),
    tool_result: setting(OtelToolResultToml, {
      text: "Includes the arguments and outputs of tools. Default: not included; 0.166 always includes them.",
      since: "0.166",
    }),
    span_attributes: setting(Texts, { text: "Attributes of every span.", since: "0.166" }),
    tracestate: setting(Type.Record(Type.String(), Texts), {
      text: "Entries of `tracestate` by vendor, passed on with the trace context.",
      since: "0.166",
    }),
  },
  { $id: "OtelToml", description: "Telemetry by OpenTelemetry." },
);
export interface OtelToml extends Static<typeof OtelToml> {}

/** Telemetry. */
export const otelKeys = {
  otel: setting(OtelToml, {
    text: "Telemetry by OpenTelemetry; see docs/telemetry.md. Variables such as `OTEL_EXPORTER_OTLP_ENDPOINT` apply to signals without a key here.",
    since: "0.166",
  }),
};
