import Type from "typebox";
import { setting } from "./setting.js";

/** Who the user is and what is told about them. */
export const accountKeys = {
  forced_login_method: setting(Type.Enum(["chatgpt", "api"]), {
    text: "The only way to log in.",
    since: "0.98",
  }),
  forced_chatgpt_workspace_id: setting(Type.String(), {
    text: "The only ChatGPT workspace that can be logged in to. Has no effect here.",
    since: "0.98",
    ignored: [],
  }),
  cli_auth_credentials_store: setting(Type.Enum(["file", "keyring", "auto", "ephemeral"]), {
    text: "Where the login is kept.",
    since: "0.98",
    default: "file",
  }),
};
