import { relative, resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { eraNamed } from "../../src/compat/index.js";
import { instructionsFor } from "../../src/engine/instructions.js";
import { toUserMessage } from "../../src/engine/messages.js";
import { modelFamily } from "../../src/model/families.js";
import { RequestBodies } from "../../src/model/responses-client.js";
import type { Prompt } from "../../src/model/types.js";
import { eventsOfCompletedItem, eventsOfStartedItem } from "../../src/protocol/legacy-events.js";
import { outputText, toMcpOutput, toOutputParts } from "../../src/protocol/mcp-output.js";
import * as read from "../../src/protocol/read/index.js";
import { formatTokens } from "../../src/protocol/token-usage.js";
import type {
  CallToolResult,
  InputItem,
  McpContentBlock,
  ToolOutputContent,
  ToolSpec,
  TurnItem,
} from "../../src/protocol/types.js";
import * as write from "../../src/protocol/write.js";
import { formatAllowPrefixes } from "../../src/shell/index.js";
import type { SuiteAdapter, SuiteCase, SuiteContext } from "../suite.js";
import { type CaseFiles, writeCaseFiles } from "./case-files.js";
import { differs } from "./differs.js";
import { readServerMessage, readShape } from "./v2-schema.js";
import { readClientRequest, readParams, threadItem, turnsFromEvents } from "./v2-shapes.js";

/** Wire shapes that are read and written again, and small functions over them. */
export const suite: SuiteAdapter = {
  name: "protocol_serialization",
  run(testCase, context) {
    const type = String(testCase.type);
    const run = Object.hasOwn(functions, type) ? functions[type] : undefined;
    if (run !== undefined) return run(testCase, context);
    const codec = Object.hasOwn(codecs, type) ? codecs[type] : undefined;
    return codec === undefined ? `no reader for ${type}` : roundTrip(testCase, codec);
  },
};

interface Codec {
  decode(json: unknown): unknown;
  /** Writes as the era of the case does; absent: as it is. */
  encode?(value: never, old: boolean): unknown;
}

const codecs: Record<string, Codec> = {
  Submission: { decode: read.parseSubmission },
  Op: { decode: read.parseOp },
  Event: {
    decode: read.parseEvent,
    encode: (event: ReturnType<typeof read.parseEvent>, old) =>
      event.msg.type === "session_configured" && event.msg.sandbox_policy && !old
        ? {
            ...event,
            msg: { ...event.msg, sandbox_policy: write.toTypePolicy(event.msg.sandbox_policy) },
          }
        : event,
  },
  EventMsg: { decode: read.parseEventMsg },
  UserMessageEvent: {
    decode: (json) => read.parseEventMsg({ type: "user_message", ...(json as object) }),
    encode: ({ type: _, ...fields }: { type: string }) => fields,
  },
  UserInput: { decode: (json) => read.parseInputItem(json) },
  InputItem: { decode: (json) => read.parseInputItem(json) },
  "rpc InputItem": { decode: (json) => read.parseInputItem(json), encode: write.toDataInputItem },
  SandboxPolicy: {
    decode: (json) => read.parseSandboxPolicy(json),
    encode: (policy, old) => (old ? write.toModePolicy(policy) : write.toTypePolicy(policy)),
  },
  FileChange: {
    decode: (json) => read.parseFileChange(json),
    encode: (change, old) =>
      old ? write.toKeyedFileChange(change) : write.toTaggedFileChange(change),
  },
  AskForApproval: { decode: (json) => read.parseAskForApproval(json) },
  ReviewDecision: { decode: (json) => read.parseReviewDecision(json) },
  AuthMode: { decode: read.parseAuthMethod },
  ResponseItem: { decode: read.parseResponseItem, encode: write.withoutItemId },
  ResponseInputItem: { decode: read.parseResponseInputItem },
  ShellToolCallParams: { decode: read.parseShellArguments },
  RolloutLine: { decode: read.parseRolloutLine },
  HistoryEntry: { decode: read.parseHistoryEntry },
  ConversationId: {
    decode: (json) =>
      read.parseHistoryEntry({ conversation_id: json, ts: 0, text: "" }).conversation_id,
  },
  ReasoningEffort: { decode: (json) => settingOf("effort", json) },
  ReasoningSummary: { decode: (json) => settingOf("summary", json) },
  Personality: { decode: (json) => settingOf("personality", json) },
  ClientRequest: { decode: readClientRequest },
  ServerRequest: { decode: readServerMessage("server request") },
  ServerNotification: { decode: readServerMessage("notification") },
  DynamicToolCallResponse: { decode: readShape("DynamicToolCallResponse") },
  SkillsListParams: { decode: readParams("skills/list") },
  Verbosity: { decode: (json) => settingOf("model_verbosity", json, "configure_session") },
};

type CaseFunction = (testCase: SuiteCase, context: SuiteContext) => ReturnType<SuiteAdapter["run"]>;

const functions: Record<string, CaseFunction> = {
  full_instructions: ({ model, apply_patch_tool_present, expect_appendix }) => {
    const tool = { type: "custom", name: "apply_patch" } as ToolSpec;
    const instructions = instructionsFor({
      override: undefined,
      family: modelFamily(String(model), "2025-09"),
      tools: apply_patch_tool_present === true ? [tool] : [],
    });
    const hasAppendix = instructions.includes("*** Begin Patch");
    return hasAppendix === expect_appendix ? undefined : `the patch text is there: ${hasAppendix}`;
  },
  format_allow_prefixes: (testCase) =>
    differs(formatAllowPrefixes(testCase.prefixes as string[][]), testCase.expect),
  format_si_suffix: (testCase) => differs(formatTokens(Number(testCase.value)), testCase.expect),
  legacy_events: (testCase) => {
    const events = testCase.item_started
      ? eventsOfStartedItem(testCase.item_started as TurnItem)
      : eventsOfCompletedItem(testCase.item_completed as TurnItem, {
          showRawReasoning: testCase.show_raw === true,
        });
    return differs(events, testCase.expect);
  },
  mcp_content_to_items: ({ content, expect }) =>
    differs(toOutputParts(content as McpContentBlock[]) ?? null, expect),
  mcp_result_to_output: ({ result, expect }) => {
    const { output, success } = toMcpOutput(result as CallToolResult);
    return differs({ content_json: JSON.parse(output as string), success }, expect);
  },
  output_items_to_text: ({ items, expect }) =>
    differs(outputText(items as ToolOutputContent[]) ?? null, expect),
  thread_item: threadItem,
  turns_from_events: turnsFromEvents,
  user_input_to_message: userInputToMessage,
  ResponsesApiRequest: responsesRequest,
};

function roundTrip(testCase: SuiteCase, codec: Codec): string | undefined {
  const { json, decodes_to, encodes_as, encodes_type, direction } = testCase;
  const value = codec.decode(structuredClone(json));
  if (decodes_to !== undefined) {
    const difference = lacks(value, decodes_to as Record<string, unknown>);
    if (difference !== undefined) return difference;
  }
  const old = testCase.era !== "v0.98" && testCase.era !== "head";
  const encoded = codec.encode ? codec.encode(value as never, old) : value;
  if (encodes_as !== undefined) return differs(encoded, encodes_as);
  if (encodes_type !== undefined) return differs((encoded as { type: string }).type, encodes_type);
  return direction === "both" ? differs(encoded, json) : undefined;
}

function settingOf(name: string, json: unknown, type = "override_turn_context"): unknown {
  return Reflect.get(read.parseOp({ type, [name]: json }), name);
}

const messageEras: Partial<Record<string, string>> = { "v0.39": "0.42", head: "0.166" };

async function userInputToMessage(
  testCase: SuiteCase,
  { dir }: SuiteContext,
): Promise<string | undefined> {
  const filled = JSON.parse(JSON.stringify(testCase).replaceAll(/\$\{DIR\}/g, dir)) as SuiteCase;
  const era = eraNamed(messageEras[testCase.era] ?? "0.104");
  if (era === undefined) return "no such era";
  const files = (filled.files ?? filled.input_files ?? {}) as CaseFiles;
  const named = Object.entries(files).map(([name, content]) => [
    relative(dir, resolve(dir, name)),
    content,
  ]);
  await writeCaseFiles(dir, Object.fromEntries(named));
  const message = await toUserMessage(filled.items as InputItem[], era.engine);
  const content = message.type === "message" ? message.content : [];
  if (filled.expect_content !== undefined) return differs(content, filled.expect_content);
  const shapes = filled.expect_content_shape as { type: string; contains?: string[] }[];
  if (content.length !== shapes.length) return `${content.length} parts`;
  for (const [index, { type, contains = [] }] of shapes.entries()) {
    const part = content[index];
    if (part?.type !== type) return `part ${index} is ${part?.type}`;
    const missing = contains.filter((text) => !JSON.stringify(part).includes(text));
    if (missing.length > 0) return `part ${index} lacks ${missing.join(", ")}`;
  }
  return undefined;
}

function responsesRequest(testCase: SuiteCase): string | undefined {
  const given = (testCase.json ?? {}) as { text?: { verbosity?: Prompt["verbosity"] } };
  const verbosity = given.text?.verbosity;
  const prompt: Prompt = {
    model: "gpt-5",
    instructions: "i",
    input: [],
    tools: [],
    parallelToolCalls: modelFamily("gpt-5").parallelToolCalls,
    reasoning: { summary: "auto" },
    conversationId: "c",
    ...(verbosity === undefined ? {} : { verbosity }),
  };
  const bodies = new RequestBodies({
    id: "p",
    name: "p",
    wire_api: "responses",
    request_max_retries: 0,
    stream_max_retries: 0,
    stream_idle_timeout_ms: 1,
    requires_openai_auth: false,
    store: false,
  });
  const body = JSON.parse(bodies.write(prompt).toString()) as Record<string, unknown>;
  const keys = testCase.keys as string[] | undefined;
  if (keys !== undefined && !isDeepStrictEqual(Object.keys(body), keys))
    return differs(Object.keys(body), keys);
  const present = ((testCase.expect_absent ?? []) as string[]).filter((key) => key in body);
  if (present.length > 0) return `has ${present.join(", ")}`;
  return lacks(body, { ...(testCase.json as object), ...(testCase.fixed as object) });
}

/** Returns the fields of `expected` that a value lacks. */
function lacks(value: unknown, expected: Record<string, unknown>): string | undefined {
  for (const [name, wanted] of Object.entries(expected)) {
    const difference = differs((value as Record<string, unknown>)[name], wanted);
    if (difference !== undefined) return `${name}: ${difference}`;
  }
  return undefined;
}
