/** How a program is told of a scripted model. */
export interface ScriptedConfigOptions {
  baseUrl: string;
  /** Any name will do; `mock-model` unless said. */
  model?: string;
  /** Lines for the top of the file; absent: nothing is asked and nothing is confined. */
  settings?: string;
  /** False: what fails is not asked for again, so that a script is played as it is written. */
  retries?: boolean;
}

/** A `config.toml` that makes a program ask a scripted model; more tables may follow it. */
export function scriptedConfig(options: ScriptedConfigOptions): string {
  const { baseUrl, model = "mock-model", settings = unguarded, retries = true } = options;
  return [
    `model = ${JSON.stringify(model)}`,
    'model_provider = "mock"',
    settings,
    "[model_providers.mock]",
    'name = "mock"',
    `base_url = ${JSON.stringify(baseUrl)}`,
    'wire_api = "responses"',
    ...(retries ? [] : ["request_max_retries = 0", "stream_max_retries = 0"]),
    "",
  ].join("\n");
}

/** What most scripts are played under: nobody is there to be asked. */
export const unguarded = 'approval_policy = "never"\nsandbox_mode = "danger-full-access"';
