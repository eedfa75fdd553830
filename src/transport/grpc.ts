import { once } from "node:events";
import { createServer } from "node:net";
import {
  ChannelCredentials,
  Client,
  type handleBidiStreamingCall,
  Metadata,
  Server,
  ServerCredentials,
  type ServerDuplexStream,
  type ServiceError,
  status,
} from "@grpc/grpc-js";
import type { AccessGuard, Refusal } from "./access-guard.js";
import { authority, type NetworkAddress } from "./address.js";
import type { Channel } from "./channel.js";
import { type DialOptions, whileDialing } from "./dial.js";
import { TransportError } from "./error.js";
import { decodeBatch, encodeBatch } from "./grpc-batch.js";
import { grpcChannel } from "./grpc-channel.js";
import type { Listener, ServerTls } from "./listener.js";
import { maxMessageBytes } from "./parse-message.js";
import { startServer } from "./start-server.js";

/** Serves the service of schema/quire.proto; each call is a channel. */
export async function listenGrpc(address: NetworkAddress, guard: AccessGuard): Promise<Listener> {
  const server = new Server(callOptions);
  const open: handleBidiStreamingCall<string[], string[]> = (call) => serveCall(call, guard);
  server.addService({ open: openMethod }, { open });
  // Sockets are accepted here and passed on, so that limits and errors are the same for all
  // listeners.
  const injector = server.createConnectionInjector(serverCredentials(guard.tls));
  const sockets = createServer((socket) => {
    socket.setNoDelay(true).setKeepAlive(true, 60_000);
    injector.injectConnection(socket);
  });
  const listener = await startServer(sockets, address, guard);
  return {
    ...listener,
    async close() {
      await listener.close();
      server.forceShutdown();
    },
  };
}

/** Connects to a server of schema/quire.proto, with a dedicated connection. */
export async function connectGrpc(address: NetworkAddress, options: DialOptions): Promise<Channel> {
  const client = new Client(
    authority(address.host, address.port),
    clientCredentials(address, options),
    {
      ...callOptions,
      ...(options.tls?.servername && { "grpc.ssl_target_name_override": options.tls.servername }),
    },
  );
  return whileDialing(
    options.signal,
    () => client.close(),
    async () => {
      const { path, requestSerialize, responseDeserialize } = openMethod;
      const metadata = new Metadata();
      if (options.token !== undefined) metadata.set("authorization", `Bearer ${options.token}`);
      const call = client.makeBidiStreamRequest(
        path,
        requestSerialize,
        responseDeserialize,
        metadata,
      );
      call.on("status", () => client.close());
      try {
        await once(call, "metadata", { signal: options.signal });
      } catch (error) {
        call.on("error", () => {});
        call.cancel();
        throw refusalBy(error);
      }
      return grpcChannel({ stream: call, cancel: () => call.cancel() });
    },
  );
}

function serveCall(call: ServerDuplexStream<string[], string[]>, guard: AccessGuard): void {
  const header = (name: string) => call.metadata.get(name)[0]?.toString();
  const refusal = guard.refusalOf({
    host: call.getHost(),
    origin: header("origin"),
    authorization: header("authorization"),
    fetchSite: header("sec-fetch-site"),
  });
  if (refusal !== undefined) {
    call.emit("error", { code: statusOf(refusal), details: refusal.reason });
    return;
  }
  call.sendMetadata(new Metadata());
  const channel = grpcChannel({ stream: call, cancel: () => cancel(call) });
  call.once("close", () => guard.forget(channel));
  guard.admit(channel, { transport: "grpc", remote: call.getPeer() });
}

/** Ends a call with an error; a server has no other way to end it immediately. */
function cancel(call: ServerDuplexStream<string[], string[]>): void {
  call.emit("error", { code: status.CANCELLED, details: "The server closed the connection" });
  call.destroy();
}

function statusOf({ status: http }: Refusal): number {
  if (http === 401) return status.UNAUTHENTICATED;
  return http === 403 ? status.PERMISSION_DENIED : status.RESOURCE_EXHAUSTED;
}

function refusalBy(error: unknown): unknown {
  const { code, details } = error as Partial<ServiceError>;
  if (code === status.UNAUTHENTICATED) {
    return new TransportError("unauthorized", "The server refused the token", error);
  }
  if (code !== status.PERMISSION_DENIED) return error;
  return new TransportError("unauthorized", `The server refused the connection: ${details}`, error);
}

function serverCredentials(tls: ServerTls | undefined): ServerCredentials {
  if (tls === undefined) return ServerCredentials.createInsecure();
  const pair = { private_key: Buffer.from(tls.key), cert_chain: Buffer.from(tls.cert) };
  return ServerCredentials.createSsl(null, [pair]);
}

function clientCredentials({ secure }: NetworkAddress, { tls }: DialOptions): ChannelCredentials {
  if (!secure) return ChannelCredentials.createInsecure();
  return ChannelCredentials.createSsl(tls?.ca === undefined ? null : Buffer.from(tls.ca));
}

const openMethod = {
  path: "/quire.v1.Quire/Open",
  requestStream: true,
  responseStream: true,
  requestSerialize: encodeBatch,
  requestDeserialize: decodeBatch,
  responseSerialize: encodeBatch,
  responseDeserialize: decodeBatch,
};

const callOptions = {
  // Batches of several messages are small; only a single message can be as long as the limit.
  "grpc.max_receive_message_length": maxMessageBytes + 4 * 1024 * 1024,
  "grpc.max_concurrent_streams": 100,
  "grpc.max_connection_idle_ms": 60_000,
  "grpc-node.flow_control_window": 4 * 1024 * 1024,
  "grpc.use_local_subchannel_pool": 1,
  "grpc.enable_http_proxy": 0,
  "grpc.enable_channelz": 0,
  "grpc.enable_retries": 0,
};
