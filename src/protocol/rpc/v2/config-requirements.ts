import Type, { type Static, type TSchema } from "typebox";
import { Nullable, since } from "../../schema.js";

/** A field of requirements: null if the administrator sets nothing. */
function field<Schema extends TSchema>(schema: Schema, description: string) {
  return since("0.166", Nullable(schema, { description }));
}

/** A table with fields as in requirements.toml, in camel case. */
const Details = Type.Record(Type.String(), Type.Unknown());
const Texts = Type.Array(Type.String());
const Flags = Type.Record(Type.String(), Type.Boolean());
const absent = "Not enforced here, so always null: a file that sets it is refused.";
const missing = "Restriction of a feature that does not exist here.";

export const ConfigRequirements = Type.Object(
  {
    modelProvider: field(Type.String(), absent),
    modelProviders: field(Details, absent),
    allowedLoginMethods: field(Texts, "Login methods that may be used."),
    cliAuthCredentialsStore: field(Type.String(), "Storage of the login."),
    chatgptBaseUrl: field(Type.String(), "Base URL of ChatGPT."),
    additionalDeveloperInstructions: field(Type.String(), "Instructions for the model."),
    allowedApprovalPolicies: Nullable(Texts, { description: "Approval policies." }),
    allowedApprovalsReviewers: field(Texts, "Reviewers of approval requests."),
    allowedSandboxModes: Nullable(Texts, { description: "Sandbox modes." }),
    allowedWindowsSandboxImplementations: field(Texts, "Sandboxes of Windows."),
    allowedPermissionProfiles: field(Flags, "Permission profiles by name; true permits one."),
    defaultPermissions: field(Type.String(), "Profile to use instead of one that is refused."),
    allowedWebSearchModes: field(Texts, "Web search modes."),
    allowManagedHooksOnly: field(Type.Boolean(), "Hooks of users and projects do not run."),
    allowBrowserAndComputerUse: field(Type.Boolean(), missing),
    allowAppshots: field(Type.Boolean(), missing),
    allowRemoteControl: field(Type.Boolean(), missing),
    computerUse: field(Details, missing),
    browserUse: field(Details, missing),
    inAppBrowser: field(Details, missing),
    featureRequirements: field(Flags, "Feature flags with a fixed value."),
    hooks: field(Details, "Managed hooks by event, and their directory."),
    enforceResidency: field(Type.String(), absent),
    network: field(Details, absent),
    application: field(Details, absent),
    autoReview: field(Details, absent),
    models: field(Details, absent),
    sqliteHome: field(Type.String(), absent),
    logDir: field(Type.String(), "Directory of log files."),
    modelCatalogJson: field(Type.String(), absent),
    checkForUpdateOnStartup: field(Type.Boolean(), missing),
    allowLoginShell: field(Type.Boolean(), "Commands may run in a login shell."),
    feedback: field(Details, missing),
    otel: field(Details, absent),
  },
  { $id: "ConfigRequirements", description: "Restrictions that an administrator put on settings." },
);
export interface ConfigRequirements extends Static<typeof ConfigRequirements> {}
