import { createDeferred } from "../../lib/async.js";
import { readImage } from "../../lib/image.js";
import { type CommandContext, notices, printError, printNotice } from "../commands/command.js";
import type { Draft } from "../composer/draft.js";
import { loadHighlight, loadLex } from "../markdown/libraries.js";
import { needsSignIn, signIn } from "../session/sign-in.js";
import { askTrust } from "../session/trust.js";
import type { Notice } from "../state/cell.js";
import { graphemes } from "../text/width.js";
import { askBackground } from "../theme/theme.js";
import type { UserInput } from "../wire.js";
import { openFirst } from "./open-thread.js";
import type { AppOptions, Reconnection } from "./options.js";
import { createProgram, type Program } from "./program.js";
import { exitSummary } from "./summary.js";
import { applyUserSettings } from "./user-settings.js";

/** Runs the terminal UI until it is closed; resolves with the exit code, and rejects if a check fails. */
export async function runTui(options: AppOptions): Promise<number> {
  const ended = createDeferred<number>();
  const program = createProgram(options, () => ended.resolve(0));
  const { screen } = program;
  void options.server.closed.then(() => {
    printError(program.context, "Lost the connection to the server");
    ended.resolve(1);
  });
  if (options.reconnection !== undefined) followConnection(program, options.reconnection);
  options.signal.addEventListener("abort", () => ended.resolve(130), { once: true });
  screen.start();
  screen.terminal.write(askBackground);
  // The next steps load the config and the server; draw first, so that the user can already type.
  screen.drawNow();
  try {
    const isPassed = options.check?.() ?? Promise.resolve();
    isPassed.then(() => start(program, options, ended.resolve), ended.reject);
    return await ended.promise;
  } finally {
    program.main.stop();
    program.title.end();
    await screen.terminal.drainInput(100, 20);
    leave(program, options.host);
  }
}

function start(program: Program, options: AppOptions, end: (code: number) => void): void {
  begin(program, options).catch((error: unknown) => {
    printError(program.context, "Could not start the session", error);
    end(1);
  });
}

/** Shows that the connection is lost, and resumes the thread when it is restored. */
function followConnection({ context, main }: Program, reconnection: Reconnection): void {
  const { session } = context;
  const { status } = session.conversation;
  reconnection.onLost = () => {
    status.isDisconnected = true;
    printError(context, "Lost the connection to the server. Reconnecting…");
    main.changed();
  };
  reconnection.onRestored = () => {
    session.rejoin().then(
      () => {
        status.isDisconnected = false;
        printNotice(context, "Reconnected");
        main.changed();
      },
      (error: unknown) => {
        status.isDisconnected = false;
        printError(context, "Could not resume the session", error);
      },
    );
  };
}

/** Prints running items as interrupted, then the summary, and removes the live lines. */
function leave({ context, screen }: Program, host: AppOptions["host"]): void {
  const { transcript, status } = context.session.conversation;
  if (status.isWorking) {
    transcript.turnEnded(true);
    transcript.notice({ level: "warning", text: "Interrupted" });
    status.turnEnded();
  }
  const summary = exitSummary(status, host);
  const { theme } = context.ui;
  screen.stop(summary.length === 0 ? [] : ["", ...summary.map((line) => theme.dim(line))]);
}

async function begin(program: Program, options: AppOptions): Promise<void> {
  const { context, screen } = program;
  const { server, first, request, host } = options;
  let notice: Notice | undefined;
  if (!options.isRemote && (await needsSignIn(server))) {
    const signed = await signIn({ ...context, ...notices(context) });
    if (signed === undefined) {
      context.quit();
      return;
    }
    Object.assign(program.request, signed.request);
    notice = signed.notice;
  }
  // The demo runs in a temporary folder.
  const isOwnFolder = program.request.cwd === request.cwd;
  const mayAsk =
    first.kind === "new" && isOwnFolder && !options.hasPermissions && !options.isRemote;
  const isTrusted = !mayAsk || (await askTrust(context.ui, server, request.cwd));
  // A new thread has no Markdown to render yet.
  if (first.kind !== "new") context.ui.lex = await loadLex();
  if (!isTrusted || !(await openFirst(context, first))) {
    context.quit();
    return;
  }
  if (notice !== undefined) context.session.conversation.transcript.notice(notice);
  screen.drawNow();
  context.ui.lex ??= await loadLex();
  void prepare(program, host);
  await sendFirst(context, options);
}

/** Loads everything that the first frame does not need. */
async function prepare(program: Program, host: AppOptions["host"]): Promise<void> {
  const { context, images, main } = program;
  images.ask();
  // Loading the segmenter's tables takes long; do it before the first key needs them.
  graphemes("");
  await applyUserSettings(program);
  context.composer.history.addEarlier(await host.readHistory().catch(() => []));
  context.ui.highlight = await loadHighlight(() => context.ui.theme);
  main.changed();
}

async function sendFirst(context: CommandContext, options: AppOptions): Promise<void> {
  const { prompt = "", images = [], review } = options;
  if (review !== undefined) {
    await context.session.ask("review/start", { target: review, delivery: "inline" });
    return;
  }
  const pictures: UserInput[] = [];
  for (const path of images) {
    const { url, problem } = await readImage(path);
    if (url === undefined) printNotice(context, `${path}: ${problem}`);
    else pictures.push({ type: "image", url });
  }
  const draft: Draft = { text: prompt, images: pictures, skills: [] };
  if (prompt !== "" || pictures.length > 0) await context.session.send(draft);
}
