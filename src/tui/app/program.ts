import { readImage } from "../../lib/image.js";
import { type CommandContext, notices } from "../commands/command.js";
import { lastAnswer } from "../commands/export.js";
import { slashCommands } from "../commands/table.js";
import { Composer } from "../composer/composer.js";
import { Attention, focusReports } from "../host/attention.js";
import { canSuspend, suspend } from "../host/handoff.js";
import { isKey, mainKeys } from "../keys.js";
import { Pane } from "../overlays/pane.js";
import type { Terminal } from "../pi.js";
import { Screen } from "../screen/screen.js";
import { answerQuestions } from "../session/questions.js";
import { Session, type ThreadRequest } from "../session/session.js";
import { signIn } from "../session/sign-in.js";
import { askBackground, chooseTheme, readBackground, type ThemeChoice } from "../theme/theme.js";
import { Ui } from "../ui.js";
import { createComplete, createSources } from "./completion.js";
import { MainKeys } from "./keys.js";
import { MainView } from "./main-view.js";
import type { AppOptions } from "./options.js";
import { submitDraft } from "./submit.js";
import { threadBanner } from "./summary.js";

/** Parts of the running program. */
export interface Program {
  screen: Screen;
  main: MainView;
  context: CommandContext;
  attention: Attention;
  /** Parameters for `thread/start`; signing in may change the model. */
  request: Record<string, unknown>;
}

/** Wires the program together. Draws and requests nothing until the screen starts. */
export function createProgram(options: AppOptions, quit: () => void): Program {
  const { server, terminal, host, clock } = options;
  const request = { ...options.request };
  const screen = new Screen(terminal, clock, {
    modes: focusReports,
    hasLinks: host.env.TERM !== "dumb",
  });
  const attention = new Attention((text) => terminal.write(text));
  const session = createSession(options, request, () => program);
  const composer = createComposer(screen, () => program);
  const pane = new Pane(composer, () => terminal.rows);
  const theme = chooseTheme("auto", host.env);
  const ui = new Ui({ terminal, screen, pane, clock, theme });
  ui.cwd = request.cwd;
  ui.isTyping = () => !composer.isEmpty;
  const main = new MainView(ui, session.conversation);
  const colors = followColors(ui, terminal, host.env);
  const context: CommandContext = {
    ui,
    session,
    server,
    host,
    composer,
    commands: slashCommands,
    chooseTheme: colors.choose,
    async signIn() {
      const signed = await signIn({ ui, server, host, ...notices(context) });
      if (signed === undefined) {
        quit();
        return;
      }
      Object.assign(request, signed.request);
      // The new settings only apply to a new thread.
      if (Object.keys(signed.request).length > 0) await session.start();
      if (signed.notice !== undefined) session.conversation.transcript.notice(signed.notice);
    },
    quit,
  };
  const program: Program = { screen, main, context, attention, request };
  answerQuestions(server, {
    ui,
    session,
    attention: (text) => attention.call("approval-requested", text),
    now: () => clock.now(),
  });
  screen.addChild(main);
  screen.setFocus(pane);
  screen.addInputListener((data) => {
    if (attention.follow(data) || colors.follow(data)) return { consume: true };
    if (!canSuspend || !isKey(mainKeys.suspend, data)) return undefined;
    void suspend(screen);
    return { consume: true };
  });
  return program;
}

function createSession(
  { server, clock, host }: AppOptions,
  request: ThreadRequest,
  program: () => Program,
): Session {
  const session = new Session(server, clock, request, {
    opened(how) {
      const { transcript, status } = session.conversation;
      transcript.add(threadBanner(status, how, host));
      program().context.ui.cwd = status.settings?.cwd ?? request.cwd;
    },
    changed: () => program().main.changed(),
    idle() {
      const words = lastAnswer(session.conversation.transcript.finished);
      program().attention.call("agent-turn-complete", words || "Turn complete");
    },
    returned(drafts) {
      const { composer } = program().context;
      const texts = [...drafts.map(({ text }) => text), composer.text];
      composer.setText(texts.filter((text) => text !== "").join("\n"));
    },
  });
  return session;
}

function createComposer(screen: Screen, program: () => Program): Composer {
  let keys: MainKeys | undefined;
  return new Composer({
    tui: screen,
    theme: () => program().context.ui.theme,
    complete: (token, signal) => createComplete(createSources(program().context))(token, signal),
    placeholder: () => placeholderText(program().context.session),
    submit(draft, isQueued) {
      const { context } = program();
      context.composer.history.add(draft.text);
      void submitDraft(context, draft, isQueued);
    },
    key(data) {
      keys ??= new MainKeys(program().context, program().main);
      return keys.handle(data);
    },
    async readImage(path) {
      const { url } = await readImage(path);
      return url === undefined ? undefined : { type: "image", url };
    },
  });
}

function placeholderText({ isWorking, isOpen }: Session): string {
  if (!isOpen) return "Starting…";
  return isWorking
    ? "enter: add to this turn · tab: queue for the next turn"
    : "Describe a task · / for commands · @ for files · ? for help";
}

/** Applies the theme that the user chose, or the one that matches the terminal's background. */
function followColors(ui: Ui, terminal: Terminal, env: AppOptions["host"]["env"]) {
  let choice: ThemeChoice = "auto";
  return {
    choose(chosen: ThemeChoice) {
      choice = chosen;
      ui.setTheme(chooseTheme(chosen, env));
      if (chosen === "auto") terminal.write(askBackground);
    },
    follow(data: string): boolean {
      const background = readBackground(data);
      if (background === undefined) return false;
      if (choice === "auto" && ui.theme.id !== "mono") ui.setTheme(background);
      return true;
    },
  };
}
