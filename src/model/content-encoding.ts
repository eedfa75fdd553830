import type { IncomingMessage } from "node:http";
import type { Readable, Transform } from "node:stream";

/** The body of an answer without the compression that some servers and proxies put on it. */
export async function decoded(incoming: IncomingMessage): Promise<Readable> {
  const encoding = incoming.headers["content-encoding"]?.trim().toLowerCase() ?? "identity";
  if (encoding === "identity" || encoding === "") return incoming;
  const decoder = await createDecoder(encoding);
  if (incoming.destroyed) decoder.end();
  // What came before the connection was lost is still good, so the decoder works to its end.
  incoming.once("close", () => decoder.end());
  return incoming.pipe(decoder);
}

async function createDecoder(encoding: string): Promise<Transform> {
  const { constants, createBrotliDecompress, createGunzip, createInflate } = await import(
    "node:zlib"
  );
  // Events are to come out when they come in, not when the decoder has enough of them.
  const flush = { flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH };
  switch (encoding) {
    case "gzip":
    case "x-gzip":
      return createGunzip(flush);
    case "deflate":
      return createInflate(flush);
    case "br":
      return createBrotliDecompress({ flush: constants.BROTLI_OPERATION_FLUSH });
    default:
      throw new Error(`the answer is encoded as ${encoding}, which is not understood`);
  }
}
