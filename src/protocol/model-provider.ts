/** Where a model is reached and how its answers are retried; one entry of `model_providers`. */
export interface ModelProvider {
  id: string;
  name: string;
  base_url?: string;
  env_key?: string;
  env_key_instructions?: string;
  wire_api: "responses" | "chat";
  query_params?: Record<string, string>;
  http_headers?: Record<string, string>;
  env_http_headers?: Record<string, string>;
  request_max_retries: number;
  stream_max_retries: number;
  stream_idle_timeout_ms: number;
  requires_openai_auth: boolean;
  /** The provider keeps responses, so a request names the previous one instead of repeating it. */
  store: boolean;
}
