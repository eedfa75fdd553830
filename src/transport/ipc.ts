import { backlogLimit, type Channel, whileLeaving } from "./channel.js";
import { Inbox, weigh } from "./inbox.js";
import { type Control, controlIn, controlKey, type IpcProcess } from "./ipc-messages.js";

/** Options of a channel over IPC. */
export interface IpcOptions {
  /**
   * Offers flow control to the peer; default: true. A server leaves that to its client, which may
   * not support it.
   */
  offersFlow?: boolean;
}

/**
 * Creates a channel over Node's IPC, between a program and a child that it started with `fork`.
 *
 * Each IPC message is one message, so a client needs only `child.send(…)` and `child.on("message",
 * …)`. IPC itself has neither back-pressure nor half-close; two ends that both support `Control`
 * messages have them.
 */
export function ipcChannel(end: IpcProcess, { offersFlow = true }: IpcOptions = {}): Channel {
  const writer = new IpcWriter(end);
  const reader = new IpcReader((read) => writer.control({ read }));
  const onMessage = (message: unknown) => {
    const control = controlIn(message);
    if (control === undefined) reader.take(message);
    else if ("read" in control) writer.onRead(control.read);
    else if ("end" in control) reader.inbox.end();
    else {
      writer.startFlow({ answers: !offersFlow });
      reader.acknowledges = true;
    }
  };
  const disconnect = () => {
    end.off("message", onMessage);
    if (end.connected) end.disconnect?.();
  };
  end.on("message", onMessage);
  end.on("disconnect", () => {
    reader.inbox.end();
    writer.onClose();
  });
  if (offersFlow) writer.control({ flow: true });
  return {
    incoming: reader.inbox,
    takesValues: true,
    isLocal: true,
    get isOpen() {
      return writer.isOpen;
    },
    get backlog() {
      return writer.backlog;
    },
    send: (message) => writer.write(message, weigh(message)),
    sendText: (json) => writer.write(JSON.parse(json), json.length),
    drained: () => writer.drained(),
    end: () => writer.end(),
    async close() {
      reader.inbox.discard();
      const giveUp = () => writer.onClose();
      await whileLeaving(writer.end(), { backlog: () => writer.unwritten, giveUp });
      disconnect();
    },
    destroy() {
      writer.onClose();
      reader.inbox.discard();
      disconnect();
    },
  };
}

class IpcReader {
  readonly inbox: Inbox;
  /** True if the peer expects acknowledgements. */
  acknowledges = false;
  #onRead: (count: number) => void;
  #unread = 0;
  #isPaused = false;
  #isScheduled = false;

  constructor(onRead: (count: number) => void) {
    this.#onRead = onRead;
    const source = {
      pause: () => {
        this.#isPaused = true;
      },
      resume: () => {
        this.#isPaused = false;
        this.#acknowledge();
      },
    };
    this.inbox = new Inbox(source, backlogLimit);
  }

  take(message: unknown): void {
    this.inbox.push(message, weigh(message));
    if (!this.acknowledges) return;
    this.#unread++;
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#acknowledge();
    });
  }

  #acknowledge(): void {
    if (this.#isPaused || this.#unread === 0) return;
    this.#onRead(this.#unread);
    this.#unread = 0;
  }
}

class IpcWriter {
  /** Bytes that were not passed to the system yet. */
  unwritten = 0;
  #end: IpcProcess;
  #isEnded = false;
  #isClosed = false;
  #hasFlow = false;
  /** Sizes of the messages that the peer has not read. */
  #unread: number[] = [];
  #unreadBytes = 0;
  #waiting: (() => void)[] = [];

  constructor(end: IpcProcess) {
    this.#end = end;
  }

  get isOpen(): boolean {
    return !this.#isEnded && !this.#isClosed && this.#end.connected;
  }

  get backlog(): number {
    return this.#hasFlow ? this.#unreadBytes : this.unwritten;
  }

  write(message: unknown, bytes: number): boolean {
    if (!this.isOpen) return true;
    this.#unread.push(bytes);
    this.#unreadBytes += bytes;
    this.#send(message, bytes);
    return this.backlog < backlogLimit;
  }

  control(control: Control): void {
    if (!this.#isClosed && this.#end.connected) this.#send({ [controlKey]: control }, 0);
  }

  /** Starts to rely on acknowledgements; the peer sends them from its offer or answer on. */
  startFlow({ answers }: { answers: boolean }): void {
    if (this.#hasFlow) return;
    this.#hasFlow = true;
    if (!answers) return;
    this.#unread = [];
    this.#unreadBytes = 0;
    this.control({ flow: true });
  }

  onRead(count: number): void {
    for (const bytes of this.#unread.splice(0, count)) this.#unreadBytes -= bytes;
    this.#release();
  }

  async drained(): Promise<void> {
    while (!this.#isClosed && this.backlog >= backlogLimit) await this.#change();
  }

  /** Resolves when everything was passed to the system. */
  async end(): Promise<void> {
    if (!this.#isEnded && this.#hasFlow) this.control({ end: true });
    this.#isEnded = true;
    while (!this.#isClosed && this.unwritten > 0) await this.#change();
  }

  onClose(): void {
    this.#isClosed = true;
    this.#release();
  }

  #send(message: unknown, bytes: number): void {
    const weight = bytes + 1;
    this.unwritten += weight;
    this.#end.send?.(message as object, () => {
      this.unwritten -= weight;
      this.#release();
    });
  }

  #change(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #release(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}
