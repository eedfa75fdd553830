import type { Options, Values } from "../command.js";

/** Options of servers: address, TLS and authentication of clients. */
export const listenOptions = {
  listen: {
    type: "string",
    value: "URL",
    default: "stdio://",
    help: "Address: stdio://, ipc://, unix://PATH, or tcp, ws, http, h2, grpc://HOST:PORT",
  },
  "tls-cert": { type: "string", value: "FILE", help: "TLS certificate (PEM)" },
  "tls-key": { type: "string", value: "FILE", help: "Private key of the certificate (PEM)" },
  stdio: { type: "boolean", hidden: true, help: "Same as --listen stdio://" },
  "token-file": {
    type: "string",
    value: "FILE",
    group: "access",
    help: "Require the bearer token in this file (mode 0600)",
  },
  "token-sha256": {
    type: "string",
    value: "HEX",
    group: "access",
    help: "Require the bearer token with this SHA-256",
  },
  "jwt-secret-file": {
    type: "string",
    value: "FILE",
    group: "access",
    help: "Require a JWT signed with the secret in this file (HS256, mode 0600)",
  },
  "jwt-key-file": {
    type: "string",
    value: "FILE",
    group: "access",
    help: "Require a JWT signed with the key pair of this public key (RS256)",
  },
  "jwt-issuer": {
    type: "string",
    value: "NAME",
    group: "access",
    help: "Required issuer of the JWT",
  },
  "jwt-audience": {
    type: "string",
    value: "NAME",
    group: "access",
    help: "Required audience of the JWT",
  },
  "jwt-clock-skew": {
    type: "string",
    value: "SECONDS",
    group: "access",
    help: "Allowed clock skew for the JWT",
  },
  "allow-origin": {
    type: "string",
    multiple: true,
    value: "ORIGIN",
    group: "access",
    help: "Accept browser pages of this origin (default: none)",
  },
  "allow-host": {
    type: "string",
    multiple: true,
    value: "NAME",
    group: "access",
    help: "Accept this Host header besides localhost",
  },
  "ws-auth": {
    type: "string",
    hidden: true,
    choices: ["capability-token", "signed-bearer-token"],
    help: "Ignored; implied by the other options",
  },
  "ws-token-file": { type: "string", aliasOf: "token-file", help: "" },
  "ws-token-sha256": { type: "string", aliasOf: "token-sha256", help: "" },
  "ws-shared-secret-file": { type: "string", aliasOf: "jwt-secret-file", help: "" },
  "ws-issuer": { type: "string", aliasOf: "jwt-issuer", help: "" },
  "ws-audience": { type: "string", aliasOf: "jwt-audience", help: "" },
  "ws-max-clock-skew-seconds": { type: "string", aliasOf: "jwt-clock-skew", help: "" },
} as const satisfies Options;

/** Values of {@link listenOptions}. */
export type ListenValues = Values<typeof listenOptions>;
