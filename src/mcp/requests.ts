import type { McpElicitation, McpElicitationAnswer, McpProgress } from "./client.js";

/** A session that uses a shared server. */
export interface Member {
  answerElicitation(
    elicitation: McpElicitation,
    signal: AbortSignal,
  ): Promise<McpElicitationAnswer>;
  onToolsChanged(): void;
}

/** A request, and the session it is for. */
export interface ServerRequest {
  method: string;
  params: Record<string, unknown>;
  member: Member;
  limitMs: number;
  signal?: AbortSignal;
  onProgress?(progress: McpProgress): void;
}

/** Result of `resources/read`. */
export interface ResourceContents {
  contents: unknown[];
  [field: string]: unknown;
}

/** Kind of readable data that servers offer: resources, or URI templates of resources. */
export type ResourceKind = "resources" | "resourceTemplates";
