/** What is done while the body of an answer is read. */
export interface BodyWatch {
  /** Throws to stop the reading. */
  onChunk(chunk: Uint8Array): void;
  /** Once, however it ends. */
  onEnd?(): void;
}

/** The same answer, with someone watching its body go by. */
export function watchBody(response: Response, { onChunk, onEnd }: BodyWatch): Response {
  if (response.body === null) return response;
  const reader = response.body.getReader();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (!done) {
          onChunk(value);
          controller.enqueue(value);
          return;
        }
        controller.close();
      } catch (error) {
        controller.error(error);
        await reader.cancel().catch(() => {});
      }
      onEnd?.();
    },
    cancel(reason) {
      onEnd?.();
      return reader.cancel(reason);
    },
  });
  const { status, statusText, headers } = response;
  return new Response(body, { status, statusText, headers });
}
