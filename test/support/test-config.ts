/** Settings of an engine in this process: its model is scripted, and it never requests approval. */
export const testConfig = {
  model: "mock-model",
  model_provider: "mock",
  approval_policy: "never",
  sandbox_mode: "danger-full-access",
  model_providers: {
    mock: { name: "mock", base_url: "http://127.0.0.1:1/v1", wire_api: "responses" },
  },
};
