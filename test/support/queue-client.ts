import type { Program } from "./program.js";

/** An event as a client of the queues receives it. */
export interface QueueEvent {
  id: string;
  msg: { type: string; response_id?: string; call_id?: string; [field: string]: unknown };
}

/** Creates a client of `proto` that follows a document; `nameOf` maps event types to its names. */
export function queueClient(program: Program, nameOf = (type: string) => type) {
  const named = ({ msg }: QueueEvent) => nameOf(msg.type);
  return {
    submit: (id: string, op: object) => program.send({ id, op }),
    until: (id: string, type: string) =>
      program.until<QueueEvent>((event) => event.id === id && named(event) === type),
    typesOf: (id: string, ...wanted: string[]) =>
      (program.lines as QueueEvent[])
        .filter((event) => event.id === id && wanted.includes(named(event)))
        .map(named),
  };
}
