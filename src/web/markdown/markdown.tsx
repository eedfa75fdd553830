import { lexer, type Token, type Tokens } from "marked";
import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";
import { splitBlocks } from "./blocks.js";
import { CodeBlock } from "./code-block.js";

/**
 * Renders Markdown of the model.
 *
 * Tokens become elements directly: there is no HTML to sanitize, HTML in the text stays text, and
 * images are links, so that nothing is loaded from another address.
 */
export function Markdown({ text, isGrowing = false }: { text: string; isGrowing?: boolean }) {
  const blocks = splitBlocks(text);
  return (
    <div class="prose">
      {blocks.map((block, at) => (
        <Block key={at} text={block} isGrowing={isGrowing && at === blocks.length - 1} />
      ))}
    </div>
  );
}

function Block({ text, isGrowing }: { text: string; isGrowing: boolean }) {
  return useMemo(() => <>{renderAll(tokensOf(text), isGrowing)}</>, [text, isGrowing]);
}

function tokensOf(text: string): Token[] {
  // The parser is slow on pathological text, such as thousands of brackets on one line.
  if (text.length > 20_000) return [{ type: "paragraph", raw: text, text, tokens: [plain(text)] }];
  return lexer(text);
}

function plain(text: string): Token {
  return { type: "text", raw: text, text };
}

function renderAll(tokens: readonly Token[], isGrowing: boolean): ComponentChildren {
  return tokens.map((token) => renderToken(token, isGrowing));
}

function renderToken(token: Tokens.Generic, isGrowing: boolean): ComponentChildren {
  const inner = () => renderAll(token.tokens ?? [plain(token.text ?? token.raw)], isGrowing);
  switch (token.type) {
    case "space":
    case "def":
      return null;
    case "heading": {
      const Heading = `h${Math.min(6, token.depth + 1)}` as "h2";
      return <Heading>{inner()}</Heading>;
    }
    case "paragraph":
      return <p>{inner()}</p>;
    case "blockquote":
      return <blockquote>{inner()}</blockquote>;
    case "list":
      return renderList(token as Tokens.List, isGrowing);
    case "table":
      return renderTable(token as Tokens.Table, isGrowing);
    case "code":
      return <CodeBlock text={token.text} language={token.lang ?? ""} isGrowing={isGrowing} />;
    case "hr":
      return <hr />;
    case "br":
      return <br />;
    case "strong":
      return <strong>{inner()}</strong>;
    case "em":
      return <em>{inner()}</em>;
    case "del":
      return <s>{inner()}</s>;
    case "codespan":
      return <code>{token.text}</code>;
    case "link":
    case "image":
      return renderLink(token.href, token.type === "image" ? token.text || token.href : inner());
    case "text":
      return token.tokens === undefined ? decoded(token.text) : inner();
    case "escape":
      return token.text;
    default:
      return token.raw;
  }
}

function renderList(list: Tokens.List, isGrowing: boolean): ComponentChildren {
  const items = list.items.map((item, at) => (
    <li key={at} class={item.task ? "task" : undefined}>
      {item.task && <TaskMark isDone={item.checked ?? false} />}
      {renderAll(
        item.tokens.filter(({ type }) => type !== "checkbox"),
        isGrowing,
      )}
    </li>
  ));
  if (!list.ordered) return <ul>{items}</ul>;
  return <ol start={Number(list.start) || 1}>{items}</ol>;
}

function TaskMark({ isDone }: { isDone: boolean }) {
  return (
    <span class={`task-mark ${isDone ? "done" : ""}`}>
      <span class="visually-hidden">{isDone ? "Done: " : "To do: "}</span>
    </span>
  );
}

function renderTable({ header, rows }: Tokens.Table, isGrowing: boolean): ComponentChildren {
  const cells = (Cell: "th" | "td", row: readonly Tokens.TableCell[]) =>
    row.map(({ tokens, align }, at) => (
      <Cell
        key={at}
        class={align ? `align-${align}` : undefined}
        data-label={Cell === "td" ? header[at]?.text : undefined}
      >
        {renderAll(tokens, isGrowing)}
      </Cell>
    ));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls sideways
    // biome-ignore lint/a11y/useSemanticElements: it is no group of fields
    <div class="table-scroller" tabIndex={0} role="group" aria-label="Table">
      <table class={header.length > mostColumns ? "many-columns" : undefined}>
        <thead>
          <tr>{cells("th", header)}</tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            <tr key={at}>{cells("td", row)}</tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Columns that a phone has room for. */
const mostColumns = 8;

/** Only addresses of the web and of mail are links. */
function renderLink(href: string, children: ComponentChildren): ComponentChildren {
  if (!/^(?:https?:\/\/|mailto:)/i.test(href)) {
    return <span class="dead-link">{children}</span>;
  }
  return (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow" title={href}>
      {children}
    </a>
  );
}

const entities: Readonly<Record<string, string>> = {
  "&lt;": "<",
  "&gt;": ">",
  "&amp;": "&",
  "&quot;": '"',
  "&#39;": "'",
  "&nbsp;": "\u00a0",
};

function decoded(text: string): string {
  return text.replace(/&(?:lt|gt|amp|quot|#39|nbsp);/g, (entity) => entities[entity] ?? entity);
}
