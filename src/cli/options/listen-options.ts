import type { Options, Values } from "../command.js";

/** The options of everything that serves clients: where, and who is let in. */
export const listenOptions = {
  listen: {
    type: "string",
    value: "URL",
    default: "stdio://",
    help: "Where: stdio://, ipc://, unix://PATH, or tcp, ws, http, h2 or grpc://HOST:PORT",
  },
  "tls-cert": { type: "string", value: "FILE", help: "The certificate, as PEM: speak TLS" },
  "tls-key": { type: "string", value: "FILE", help: "The key of the certificate" },
  stdio: { type: "boolean", hidden: true, help: "The same as --listen stdio://" },
  "token-file": {
    type: "string",
    value: "FILE",
    group: "access",
    help: "Clients must show the token in this file, which only you may read (0600)",
  },
  "token-sha256": {
    type: "string",
    value: "HEX",
    group: "access",
    help: "The SHA-256 of the token, instead of it",
  },
  "jwt-secret-file": {
    type: "string",
    value: "FILE",
    group: "access",
    help: "Clients must show a JWT signed with the secret in this file (HS256, 0600)",
  },
  "jwt-key-file": {
    type: "string",
    value: "FILE",
    group: "access",
    help: "Clients must show a JWT signed for the public key in this file (RS256)",
  },
  "jwt-issuer": {
    type: "string",
    value: "NAME",
    group: "access",
    help: "Who the JWT must come from",
  },
  "jwt-audience": {
    type: "string",
    value: "NAME",
    group: "access",
    help: "Who the JWT must be for",
  },
  "jwt-clock-skew": {
    type: "string",
    value: "SECONDS",
    group: "access",
    help: "How far clocks may differ",
  },
  "allow-origin": {
    type: "string",
    multiple: true,
    value: "ORIGIN",
    group: "access",
    help: "Let pages of this origin in; without it only programs are",
  },
  "allow-host": {
    type: "string",
    multiple: true,
    value: "NAME",
    group: "access",
    help: "A name this server may be called by, besides localhost",
  },
  "ws-auth": {
    type: "string",
    hidden: true,
    choices: ["capability-token", "signed-bearer-token"],
    help: "Follows from the other options",
  },
  "ws-token-file": { type: "string", aliasOf: "token-file", help: "" },
  "ws-token-sha256": { type: "string", aliasOf: "token-sha256", help: "" },
  "ws-shared-secret-file": { type: "string", aliasOf: "jwt-secret-file", help: "" },
  "ws-issuer": { type: "string", aliasOf: "jwt-issuer", help: "" },
  "ws-audience": { type: "string", aliasOf: "jwt-audience", help: "" },
  "ws-max-clock-skew-seconds": { type: "string", aliasOf: "jwt-clock-skew", help: "" },
} as const satisfies Options;

/** The values of these options. */
export type ListenValues = Values<typeof listenOptions>;
