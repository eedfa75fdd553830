import { defineCommand } from "../command.js";
import { configOptions } from "../options/config-options.js";

/** Serves the browser UI and the app-server on one port. */
export const web = defineCommand({
  name: "web",
  summary: "Serve the browser UI",
  mostOperands: 0,
  verbs: [
    {
      name: "pair",
      summary: "Print a new pairing address of the running server",
      load: async () => (await import("./web/pair.js")).webPair,
    },
    {
      name: "devices",
      summary: "List and revoke paired devices",
      load: async () => (await import("./web/devices.js")).webDevices,
    },
  ],
  options: {
    listen: {
      type: "string",
      value: "HOST:PORT",
      default: "127.0.0.1:0",
      help: "Address to listen on; port 0 picks a free one",
    },
    "tls-cert": { type: "string", value: "FILE", help: "TLS certificate (PEM)" },
    "tls-key": { type: "string", value: "FILE", help: "Private key of the certificate (PEM)" },
    "tls-self-signed": {
      type: "boolean",
      help: "Create a certificate, and print its fingerprint to compare in the browser",
    },
    "plain-http": {
      type: "boolean",
      help: "Allow an address of the network without TLS",
    },
    "allow-host": {
      type: "string",
      multiple: true,
      value: "NAME",
      help: "Accept this Host header too, such as the name of a proxy",
    },
    ...configOptions,
  },
  details: [
    "Prints an address with a pairing code, which works once and for ten minutes. New threads work",
    "in the current directory. `quire web pair` pairs another device; `quire web devices` lists the",
    "paired ones and `quire web devices revoke ID` disconnects one for good.",
  ].join("\n"),
  async run({ values }, io) {
    const { serveWeb } = await import("./web/serve.js");
    return serveWeb(values, io);
  },
});
