import { readImage } from "../../lib/image.js";
import { type CommandContext, notices, printError } from "../commands/command.js";
import { lastAnswer } from "../commands/export.js";
import { offerPlan } from "../commands/plan.js";
import { slashCommands } from "../commands/table.js";
import { Composer } from "../composer/composer.js";
import type { ComposerEditor } from "../composer/composer-editor.js";
import { Attention, focusReports } from "../host/attention.js";
import { canSuspend, suspend } from "../host/handoff.js";
import { TerminalTitle } from "../host/terminal-title.js";
import { TerminalImages } from "../images/terminal-images.js";
import type { UserKeymap } from "../keymap/keymap.js";
import { isKey, mainKeys } from "../keys.js";
import { Pane } from "../overlays/pane.js";
import { setEditorKeys } from "../pi.js";
import { Screen } from "../screen/screen.js";
import { answerQuestions } from "../session/questions.js";
import { Session, type ThreadRequest } from "../session/session.js";
import { signIn } from "../session/sign-in.js";
import { TerminalColors } from "../theme/terminal-colors.js";
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
  title: TerminalTitle;
  images: TerminalImages;
  /** The keys of the user. */
  keymap: UserKeymap;
  /** Parameters for `thread/start`; signing in may change the model. */
  request: Record<string, unknown>;
}

/** Wires the program together. Draws and requests nothing until the screen starts. */
export function createProgram(options: AppOptions, quit: () => void): Program {
  const { server, terminal, host, clock } = options;
  setEditorKeys();
  const request = { ...options.request };
  const screen = new Screen(terminal, clock, {
    modes: focusReports,
    hasLinks: host.env.TERM !== "dumb",
  });
  const attention = new Attention((text) => terminal.write(text));
  const session = createSession(options, request, () => program);
  const composer = createComposer(screen, () => program);
  const pane = new Pane(composer, () => terminal.rows);
  const colors = new TerminalColors(host.env, (text) => terminal.write(text));
  const ui = new Ui({ terminal, screen, pane, clock, theme: colors.theme });
  colors.onChange = (theme) => ui.setTheme(theme);
  ui.cwd = request.cwd;
  ui.isTyping = () => !composer.isEmpty;
  const main = new MainView(ui, session.conversation);
  const images = new TerminalImages(host.env, (text) => terminal.write(text));
  main.images = images;
  main.readImage = (path) => host.readImage?.(path);
  const title = new TerminalTitle(host.env, (text) => terminal.write(text));
  main.mode = () => composer.vimMode;
  main.onFrame = () => title.follow(session.conversation.status);
  const context: CommandContext = {
    ui,
    session,
    server,
    host,
    composer,
    commands: slashCommands,
    chooseTheme: (choice) => colors.choose(choice),
    keymap: () => program.keymap,
    async useVim(isOn) {
      const create = isOn ? await loadVim(program.keymap) : undefined;
      composer.useVim(create);
      screen.requestRender();
    },
    items: {
      statusLine: {
        get: () => main.items,
        set: (items) => {
          main.items = items;
        },
      },
      title: {
        get: () => title.items,
        set: (items) => {
          title.items = items;
        },
      },
    },
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
  const program: Program = { screen, main, context, attention, title, images, keymap: {}, request };
  answerQuestions(server, {
    ui,
    session,
    attention: (text) => attention.call("approval-requested", text),
    now: () => clock.now(),
  });
  screen.addChild(main);
  screen.setFocus(pane);
  screen.addInputListener((data) => {
    if (attention.follow(data) || colors.follow(data) || images.follow(data))
      return { consume: true };
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
  // Commands of the agent may switch the branch.
  const readBranch = async () => {
    const { status } = session.conversation;
    const branch = await host.readBranch?.(status.settings?.cwd ?? request.cwd);
    if (branch === undefined || branch === status.branch) return;
    status.branch = branch;
    program().main.changed();
  };
  const session = new Session(server, clock, request, {
    opened(how) {
      const { transcript, status } = session.conversation;
      transcript.add(threadBanner(status, how, host));
      program().context.ui.cwd = status.settings?.cwd ?? request.cwd;
      void readBranch();
    },
    changed: () => program().main.changed(),
    idle() {
      void readBranch();
      const words = lastAnswer(session.conversation.transcript.finished);
      program().attention.call("agent-turn-complete", words || "Turn complete");
      const { context } = program();
      offerPlan(context).catch((error: unknown) => printError(context, "Failed", error));
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

/** Loads the vim keys; most sessions do not need them. */
async function loadVim(keymap: UserKeymap) {
  const { Vim } = await import("../composer/vim/vim.js");
  const { vimKeymap } = await import("../keymap/keymap.js");
  return (editor: ComposerEditor) => new Vim(editor, vimKeymap(keymap));
}

function placeholderText({ isWorking, isOpen, isSide }: Session): string {
  if (!isOpen) return "Starting…";
  if (isSide && !isWorking) return "Side chat: ask something · /side to return";
  return isWorking
    ? "enter: add to this turn · tab: queue for the next turn"
    : "Describe a task · / for commands · @ for files · ? for help";
}
