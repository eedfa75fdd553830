import type { TurnStartParams } from "../../protocol/rpc/v2/turn.js";

/** Reasoning effort; the server may support values that this client does not know. */
export type Effort = NonNullable<TurnStartParams["effort"]>;

/** Settings of a thread. */
export interface Settings {
  model: string;
  effort: Effort | undefined;
  provider: string;
  cwd: string;
  approval: string;
  /** Sandbox mode: `read-only`, `workspace-write`, `danger-full-access`. */
  sandbox: string;
  mode: "default" | "plan";
}

/** The settings in a response or notification. */
export interface WireSettings {
  model?: string;
  modelProvider?: string;
  reasoningEffort?: string | null | undefined;
  effort?: string | null | undefined;
  cwd?: string;
  approvalPolicy?: unknown;
  sandbox?: unknown;
  sandboxPolicy?: unknown;
  collaborationMode?: { mode?: string } | null;
}

/** Reads settings from a response or notification; omitted ones keep their previous value. */
export function readSettings(wire: WireSettings, before?: Settings): Settings {
  const effort = wire.reasoningEffort ?? wire.effort;
  return {
    model: wire.model ?? before?.model ?? "",
    effort: effort === null ? undefined : ((effort as Effort | undefined) ?? before?.effort),
    provider: wire.modelProvider ?? before?.provider ?? "",
    cwd: wire.cwd ?? before?.cwd ?? "",
    approval: approvalName(wire.approvalPolicy) ?? before?.approval ?? "on-request",
    sandbox: sandboxName(wire.sandbox ?? wire.sandboxPolicy) ?? before?.sandbox ?? "read-only",
    mode: modeName(wire.collaborationMode?.mode) ?? before?.mode ?? "default",
  };
}

function approvalName(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  return typeof value === "object" && value !== null ? Object.keys(value)[0] : undefined;
}

const sandboxNames: Readonly<Record<string, string>> = {
  readOnly: "read-only",
  workspaceWrite: "workspace-write",
  dangerFullAccess: "danger-full-access",
  externalSandbox: "external-sandbox",
};

function sandboxName(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  const { type } = (value ?? {}) as { type?: unknown };
  return typeof type === "string" ? (sandboxNames[type] ?? type) : undefined;
}

function modeName(value: string | undefined): Settings["mode"] | undefined {
  if (value === undefined) return undefined;
  return value === "plan" ? "plan" : "default";
}
