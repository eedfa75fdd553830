import Type, { type Static } from "typebox";
import { setting } from "./setting.js";

export const EnabledToml = Type.Object(
  { enabled: setting(Type.Boolean(), { text: "Whether it is on.", since: "0.98" }) },
  { $id: "EnabledToml", description: "Something that can be turned off." },
);
export interface EnabledToml extends Static<typeof EnabledToml> {}

export const OtelToml = Type.Object(
  {},
  {
    $id: "OtelToml",
    description: "Telemetry of other versions; nothing is sent here.",
    additionalProperties: true,
  },
);

/** Who the user is and what is told about them. */
export const accountKeys = {
  forced_login_method: setting(Type.Enum(["chatgpt", "api"]), {
    text: "The only way to log in.",
    since: "0.98",
  }),
  forced_chatgpt_workspace_id: setting(Type.String(), {
    text: "The only ChatGPT workspace that can be logged in to.",
    since: "0.98",
  }),
  cli_auth_credentials_store: setting(Type.Enum(["file", "keyring", "auto", "ephemeral"]), {
    text: "Where the login is kept.",
    since: "0.98",
    default: "file",
  }),
  check_for_update_on_startup: setting(Type.Boolean(), {
    text: "Of other versions; nothing is looked up here.",
    since: "0.98",
  }),
  analytics: setting(EnabledToml, {
    text: "Of other versions; nothing is measured here.",
    since: "0.98",
  }),
  feedback: setting(EnabledToml, {
    text: "Of other versions; nothing is reported here.",
    since: "0.98",
  }),
  otel: setting(OtelToml, {
    text: "Of other versions; nothing is sent here.",
    since: "0.98",
  }),
  windows_wsl_setup_acknowledged: setting(Type.Boolean(), {
    text: "Of other versions; has no effect here.",
    since: "0.98",
  }),
};
