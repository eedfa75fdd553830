/** How a program is told of a scripted model. */
export interface ScriptedConfigOptions {
  baseUrl: string;
  /** Any name will do; `mock-model` unless said. */
  model?: string;
  /** Lines for the top of the file; absent: nothing is asked and nothing is confined. */
  settings?: string;
  /** How often what fails is asked for again; 0: a script is played as it is written. */
  retries?: number;
}

/**
 * A `config.toml` that makes a program ask a scripted model; more tables may follow it.
 *
 * For tests and measurements, which all play scripts in the same way; `mock-model` says to a person
 * how to do it.
 */
export function scriptedConfig(options: ScriptedConfigOptions): string {
  const { baseUrl, model = "mock-model", settings = unguarded, retries } = options;
  return [
    `model = ${JSON.stringify(model)}`,
    'model_provider = "mock"',
    settings,
    "[model_providers.mock]",
    'name = "mock"',
    `base_url = ${JSON.stringify(baseUrl)}`,
    'wire_api = "responses"',
    ...(retries === undefined
      ? []
      : [`request_max_retries = ${retries}`, "stream_max_retries = 0"]),
    "",
  ].join("\n");
}

/** What most scripts are played under: nobody is there to be asked. */
export const unguarded = 'approval_policy = "never"\nsandbox_mode = "danger-full-access"';
