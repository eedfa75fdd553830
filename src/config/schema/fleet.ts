import Type, { type Static } from "typebox";
import { setting } from "./setting.js";

export const FleetToml = Type.Object(
  {
    tenant: setting(Type.String({ pattern: "^[A-Za-z0-9-]{1,64}$" }), {
      text: "Name that separates fleets on one broker. Default: `default`.",
      since: "current",
    }),
    replicas: setting(Type.Integer({ minimum: 1, maximum: 5 }), {
      text: "Copies of each stream in a cluster, used when streams are created. Default: 1.",
      since: "current",
    }),
    user: setting(Type.String(), {
      text: "User at the broker; the environment variable `QUIRE_FLEET_SECRET` has the password.",
      since: "current",
    }),
    creds_file: setting(Type.String(), {
      text: "File with the JWT and seed of a user, as `nsc` writes it.",
      since: "current",
      path: true,
    }),
    nkey_file: setting(Type.String(), {
      text: "File with the seed of an nkey.",
      since: "current",
      path: true,
    }),
    ca_file: setting(Type.String(), {
      text: "Certificates of the authorities that sign the broker's certificate.",
      since: "current",
      path: true,
    }),
    cert_file: setting(Type.String(), {
      text: "Client certificate; `key_file` is required with it.",
      since: "current",
      path: true,
    }),
    key_file: setting(Type.String(), {
      text: "Key of the client certificate.",
      since: "current",
      path: true,
    }),
  },
  { $id: "FleetToml", description: "Connection to the broker of a fleet." },
);
export interface FleetToml extends Static<typeof FleetToml> {}

/** Connection to the broker of a fleet. */
export const fleetKeys = {
  fleet: setting(FleetToml, {
    text: "Connection of `quire fleet` to its broker.",
    since: "current",
    strict: true,
  }),
};
