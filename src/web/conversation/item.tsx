import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";
import type {
  AnsweredQuestionsItem,
  ThreadItem,
  UserMessageItem,
} from "../../protocol/rpc/v2/item.js";
import { Diff } from "../diff/diff.js";
import { baseName, counted, durationText, secondsText } from "../lib/format.js";
import type { Entry, NoticeItem } from "../state/entries.js";
import { shownPath } from "../state/paths.js";
import { Command } from "./command.js";
import { Fold } from "./fold.js";
import { host } from "./host.js";
import { LongText } from "./long-text.js";
import { marks } from "./marks.js";
import { Output } from "./output.js";
import { Picture } from "./picture.js";

/** One item of the conversation. */
export function Item({ entry, isCompact = false }: { entry: Entry; isCompact?: boolean }) {
  const item = entry.item.value;
  switch (item.type) {
    case "userMessage":
      return <UserMessage item={item} />;
    case "agentMessage":
      return (
        <article aria-label="Assistant" class="item assistant" data-phase={item.phase}>
          <LongText entry={entry} text={item.text} />
        </article>
      );
    case "plan":
      return (
        <article aria-label="Plan" class="item plan-text">
          <LongText entry={entry} text={item.text} />
        </article>
      );
    case "reasoning":
      return <Reasoning entry={entry} item={item} />;
    case "commandExecution":
      return <Command entry={entry} item={item} isCompact={isCompact} />;
    case "fileChange": {
      const files = item.changes.map(({ path }) => shownPath(path)).join(", ");
      return (
        <article aria-label={`File change: ${files}`} class="item file-change">
          <div class="item-head">
            <span class={`mark ${item.status}`}>{marks[item.status]}</span>
            <span class="item-title">
              {fileChangeWords[item.status]} {counted(item.changes.length, "file")}
            </span>
            {item.status === "completed" && host.value.rewind !== undefined && (
              <button
                type="button"
                class="ghost small on-hover"
                onClick={() => host.value.rewind?.(entry.turnId)}
              >
                Rewind to before this
              </button>
            )}
          </div>
          <section aria-label="Changes" class="changes">
            <Diff changes={item.changes} canSplit />
          </section>
        </article>
      );
    }
    case "imageGeneration":
      return <Picture item={item} />;
    case "answeredQuestions":
      return <Answers item={item} />;
    default:
      return <SmallItem entry={entry} item={item} />;
  }
}

/** Items of which a line is enough, with details below. */
function SmallItem({ entry, item }: { entry: Entry; item: ThreadItem | NoticeItem }) {
  const { name, title, status, details } = useMemo(() => describe(item), [item]);
  const progress = entry.live.value?.head;
  entry.grown.value;
  return (
    <article aria-label={`${name}: ${title}`} class={`item small ${name.toLowerCase()}`}>
      {details === undefined || details === "" ? (
        <div class="item-head">
          <span class={`mark ${status}`}>{marks[status]}</span>
          <span class={item.type === "notice" ? `notice-${item.level}` : "muted"}>{title}</span>
        </div>
      ) : (
        <Fold
          title={
            <>
              <span class={`mark ${status}`}>{marks[status]}</span>
              <span class="mono">{title}</span>
            </>
          }
        >
          {() => <Output text={details} />}
        </Fold>
      )}
      {progress !== undefined && progress !== "" && <pre class="output">{progress}</pre>}
    </article>
  );
}

interface Described {
  /** Beginning of the accessible name. */
  name: "Command" | "Notice";
  title: string;
  status: keyof typeof marks;
  details?: string | undefined;
}

function describe(item: ThreadItem | NoticeItem): Described {
  switch (item.type) {
    case "notice":
      return {
        name: "Notice",
        title: item.text,
        status: item.level === "error" ? "failed" : "info",
      };
    case "mcpToolCall": {
      const { server, tool, status, error, result } = item;
      const { structuredContent, content = [] } = result ?? {};
      const output =
        error?.message ?? toText(structuredContent ?? content.map(partText).join("\n"));
      const details = `${toText(item.arguments)}\n${output}`.trim();
      return { name: "Command", title: `${server}.${tool}`, status, details };
    }
    case "dynamicToolCall": {
      const details = `${toText(item.arguments)}\n${toText(item.contentItems)}`.trim();
      return { name: "Command", title: item.tool, status: item.status, details };
    }
    case "webSearch":
      return { name: "Command", title: `Searched the web: ${item.query}`, status: "completed" };
    case "imageView":
      return { name: "Notice", title: `Viewed ${baseName(item.path)}`, status: "info" };
    case "enteredReviewMode":
      return { name: "Notice", title: `Review started: ${item.review}`, status: "info" };
    case "exitedReviewMode":
      return {
        name: "Notice",
        title: "Review finished",
        status: "completed",
        details: item.review,
      };
    case "contextCompaction":
      return { name: "Notice", title: "The conversation was summarized", status: "info" };
    case "hookPrompt": {
      const details = item.fragments.map(toText).join("\n");
      return { name: "Notice", title: "A hook let the turn continue", status: "info", details };
    }
    case "subAgentActivity":
      return { name: "Notice", title: `Agent ${item.agentPath}: ${item.kind}`, status: "info" };
    case "collabAgentToolCall": {
      const words = agentWords[item.tool];
      const agents = Object.values(item.agentsStates).map(toText).join("\n");
      const details = [item.prompt ?? "", agents].filter((text) => text !== "").join("\n\n");
      return { name: "Notice", title: words, status: item.status, details };
    }
    case "sleep":
      return {
        name: "Notice",
        title: `Slept for ${durationText(item.durationMs)}`,
        status: item.completedAtMs === null ? "inProgress" : "completed",
      };
    case "functionCallOutput":
      return {
        name: "Command",
        title: `Output of ${item.name}`,
        status: "completed",
        details: toText(item.output),
      };
    default:
      return { name: "Notice", title: item.type, status: "info" };
  }
}

/** Questions of the model with the answers of the user. */
function Answers({ item }: { item: AnsweredQuestionsItem }) {
  const title = `Answered ${counted(item.questions.length, "question")}`;
  return (
    <article aria-label={`Notice: ${title}`} class="item">
      <div class="item-head">
        <span class="mark completed">{marks.completed}</span>
        <span class="item-title">{title}</span>
      </div>
      <dl class="answers">
        {item.questions.map(({ question, answers }) => (
          <div key={question}>
            <dt>{question}</dt>
            <dd>
              {answers.length === 0 ? <span class="muted">skipped</span> : answers.join(", ")}
            </dd>
          </div>
        ))}
      </dl>
    </article>
  );
}

function UserMessage({ item }: { item: UserMessageItem }) {
  const texts = item.content.flatMap((part) => (part.type === "text" ? [part.text] : []));
  const others = item.content.filter(({ type }) => type !== "text");
  const text = texts.join("\n");
  return (
    <article aria-label="You" class="item user">
      {text.length <= mostUserText ? (
        <div class="user-text">{text}</div>
      ) : (
        <Fold title={<span class="user-text">{`${text.slice(0, 400)}…`}</span>}>
          {() => <div class="user-text">{text}</div>}
        </Fold>
      )}
      {others.length > 0 && (
        <div class="chips">
          {others.map((part, at) => (
            <Attachment key={at} part={part} />
          ))}
        </div>
      )}
    </article>
  );
}

/** Only images that are part of the message are shown; others would be loaded from elsewhere. */
function Attachment({ part }: { part: UserMessageItem["content"][number] }): ComponentChildren {
  if (part.type === "image" && /^data:image\/(?:png|jpeg|gif|webp)[;,]/.test(part.url)) {
    return <img class="attachment" src={part.url} alt="Attached by you" />;
  }
  if (part.type === "image") return <span class="chip">{part.url.slice(0, 80)}</span>;
  if (part.type === "text") return null;
  return <span class="chip">{part.type === "localImage" ? baseName(part.path) : part.name}</span>;
}

function Reasoning({
  entry,
  item,
}: {
  entry: Entry;
  item: Extract<ThreadItem, { type: "reasoning" }>;
}) {
  const live = entry.live.value;
  entry.grown.value;
  const text = live?.head ?? [...item.summary, ...item.content].join("\n\n");
  const { startedAtMs, completedAtMs } = item;
  const hasTimes = typeof startedAtMs === "number" && typeof completedAtMs === "number";
  const ms = hasTimes ? completedAtMs - startedAtMs : 0;
  const time = ms < 1000 ? "" : ` for ${secondsText(ms)}`;
  const title = live === undefined ? `Thought${time}` : "Thinking…";
  if (text.trim() === "" && live === undefined) return null;
  return (
    <article aria-label={`Notice: ${title}`} class="item reasoning">
      <Fold title={<span class="muted">{title}</span>}>
        {() => <LongText entry={entry} text={text} />}
      </Fold>
    </article>
  );
}

/** Returns the text of a part of a result; other parts are shown as their JSON. */
function partText(part: unknown): string {
  const { type, text } = (part ?? {}) as { type?: unknown; text?: unknown };
  return type === "text" && typeof text === "string" ? text : toText(part);
}

function toText(value: unknown): string {
  if (value === null || value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}

const fileChangeWords = {
  inProgress: "Changing",
  completed: "Changed",
  failed: "Could not change",
  declined: "Declined to change",
};

const agentWords = {
  spawnAgent: "Started an agent",
  sendInput: "Sent input to an agent",
  resumeAgent: "Resumed an agent",
  wait: "Waited for agents",
  closeAgent: "Closed an agent",
};

const mostUserText = 8000;
