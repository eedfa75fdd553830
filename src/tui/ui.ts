import type { Clock } from "../lib/clock.js";
import type { Highlight, Lex } from "./markdown/libraries.js";
import {
  Approval,
  type ApprovalAnswer,
  type ApprovalOptions,
  approvalPage,
} from "./overlays/approval.js";
import { type PagePart, Pages } from "./overlays/pages.js";
import type { Pane, PaneContent } from "./overlays/pane.js";
import { Picker, type PickOptions } from "./overlays/picker.js";
import { Question, type QuestionOptions } from "./overlays/question.js";
import { type FormAnswer, Questionnaire, type QuestionOfForm } from "./overlays/questionnaire.js";
import type { Terminal } from "./pi.js";
import type { Screen } from "./screen/screen.js";
import { createTheme, type Theme, type ThemeSpec } from "./theme/theme.js";
import type { View } from "./view.js";

/** Dependencies of {@link Ui}. */
export interface UiParts {
  terminal: Terminal;
  screen: Screen;
  pane: Pane;
  clock: Clock;
  theme: ThemeSpec;
}

/** Shows dialogs and full-screen pages. */
export class Ui {
  readonly screen: Screen;
  readonly pane: Pane;
  /** Folder that paths are shown relative to. */
  cwd = "";
  /** Nothing moves (`tui.animations = false`). */
  isStill = false;
  highlight: Highlight | undefined;
  lex: Lex | undefined;
  /** Returns whether the composer contains unsent text. */
  isTyping: () => boolean = () => false;
  theme: Theme;
  readonly #terminal: Terminal;
  readonly #clock: Clock;

  constructor({ terminal, screen, pane, clock, theme }: UiParts) {
    this.#terminal = terminal;
    this.#clock = clock;
    this.screen = screen;
    this.pane = pane;
    this.theme = createTheme(theme);
  }

  view(width: number): View {
    const { theme, cwd, highlight, lex, isStill } = this;
    const isColored = highlight !== undefined && theme.id !== "mono";
    return {
      width,
      theme,
      cwd,
      now: this.#clock.now(),
      isStill,
      ...(lex === undefined ? {} : { lex }),
      ...(isColored ? { highlight } : {}),
    };
  }

  setTheme(spec: ThemeSpec): void {
    this.theme = createTheme(spec);
    this.screen.requestRender();
  }

  /** Shows a list; resolves with undefined on cancel. */
  pick<Value>(options: PickOptions<Value>, signal?: AbortSignal): Promise<Value | undefined> {
    const changed = () => this.screen.requestRender();
    return this.#cover((done) => new Picker(options, { theme: this.theme, done, changed }), signal);
  }

  /** Asks for a line of text; resolves with undefined on cancel. */
  question(options: QuestionOptions, signal?: AbortSignal): Promise<string | undefined> {
    return this.#cover((done) => new Question(options, this.theme, done), signal);
  }

  /** Asks several questions; resolves with undefined on cancel or if `signal` aborts. */
  questionnaire(
    questions: readonly QuestionOfForm[],
    signal: AbortSignal,
  ): Promise<readonly FormAnswer[] | undefined> {
    return this.#cover((done) => new Questionnaire(questions, { theme: this.theme, done }), signal);
  }

  /** Asks for an approval; resolves with undefined if `signal` aborts. */
  approval(options: ApprovalOptions, signal: AbortSignal): Promise<ApprovalAnswer | undefined> {
    return this.#cover<ApprovalAnswer>(
      (done) =>
        new Approval(options, {
          view: (width) => this.view(width),
          done,
          now: () => this.#clock.now(),
          wasTyping: this.isTyping(),
          showAll: () => void this.pages(options.title, (view) => approvalPage(options, view)),
        }),
      signal,
    );
  }

  /** Shows text on the full screen until the user closes it. */
  pages(
    title: string,
    content: PagePart | readonly PagePart[],
    from?: "top" | "end",
  ): Promise<void> {
    return new Promise((resolve) => {
      const close = (next?: string) => {
        this.screen.closeFull(this.pane);
        if (next !== undefined) this.pane.typeInComposer(next);
        this.screen.requestRender();
        resolve();
      };
      const parts = { terminal: this.#terminal, view: (width: number) => this.view(width), close };
      this.screen.openFull(new Pages(title, content, parts, from));
      this.screen.requestRender();
    });
  }

  #cover<Value>(
    create: (done: (value: Value | undefined) => void) => PaneContent,
    signal?: AbortSignal,
  ): Promise<Value | undefined> {
    return new Promise((resolve) => {
      if (signal?.aborted) {
        resolve(undefined);
        return;
      }
      const done = (value: Value | undefined) => {
        signal?.removeEventListener("abort", giveUp);
        uncover();
        this.screen.requestRender();
        resolve(value);
      };
      const giveUp = () => done(undefined);
      const uncover = this.pane.show(create(done));
      signal?.addEventListener("abort", giveUp, { once: true });
      this.screen.requestRender();
    });
  }
}
