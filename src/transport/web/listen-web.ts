import { type FSWatcher, watch } from "node:fs";
import type { AddressInfo } from "node:net";
import { AccessGuard } from "../access-guard.js";
import type { NetworkAddress } from "../address.js";
import type { Channel } from "../channel.js";
import { createHttpServer } from "../http-server.js";
import type { Listener, ListenOptions, WebOptions } from "../listener.js";
import { answerProbe } from "../probes.js";
import { remoteOf, startServer } from "../start-server.js";
import { acceptUpgrades } from "../websocket.js";
import { Devices } from "./devices.js";
import { PageFiles } from "./page-files.js";
import { PairingCodes } from "./pairing-codes.js";
import { WebDoor } from "./web-door.js";

/** Serves a page, pairs devices, and accepts WebSocket connections of paired ones. */
export async function listenWeb(
  address: NetworkAddress,
  options: ListenOptions,
  { files, store }: WebOptions,
): Promise<Listener> {
  const devices = new Devices(store);
  const isPaired = (secret: string) => devices.find(secret) !== undefined;
  const guard = new AccessGuard(options, isPaired, address.host);
  let port = address.port;
  const door = new WebDoor({
    own: {
      host: address.host,
      port: () => port,
      secure: guard.tls !== undefined,
      allowHosts: options.allowHosts ?? [],
    },
    devices,
    codes: new PairingCodes(store),
    files: new PageFiles(files),
    store,
    probe(path, request) {
      const { method = "", headers } = request;
      const { host, origin, authorization } = headers;
      // The door has checked the host; a page of this listener may ask too.
      const caller = { host, origin, authorization, fetchSite: undefined };
      return answerProbe({ path, method }, caller, guard);
    },
  });
  const server = await createHttpServer(guard, (request, response) => {
    request.on("error", () => {});
    door.answer(request, response).catch(() => response.destroy());
  });
  const connections = new DeviceConnections(devices);
  acceptUpgrades(server, {
    refusalOf: (request) => guard.fullRefusal() ?? door.refusalOf(request),
    onChannel(channel, request) {
      const device = door.deviceOf(request) ?? "";
      const remove = connections.add(device, channel);
      guard.admit(channel, { transport: "ws", remote: remoteOf(request.socket) });
      return () => {
        remove();
        guard.forget(channel);
      };
    },
  });
  // A page loads several files at once besides its connection.
  const listener = await startServer(server, address, guard, { socketsPerClient: 8 });
  port = (server.address() as AddressInfo).port;
  const close = async () => {
    connections.stop();
    await listener.close();
  };
  return { ...listener, close };
}

/**
 * Connections by device. Those of a revoked device are dropped at once.
 *
 * Any process can revoke a device by removing its file, so the directory is watched; not every file
 * system notifies, so it is also checked every second while devices are connected.
 */
class DeviceConnections {
  #devices: Devices;
  #channels = new Map<string, Set<Channel>>();
  #watcher: FSWatcher | undefined;
  #timer: NodeJS.Timeout;

  constructor(devices: Devices) {
    this.#devices = devices;
    this.#timer = setInterval(() => this.#dropRevoked(), checkMs).unref();
    try {
      this.#watcher = watch(devices.folder, { persistent: false }, () => this.#dropRevoked());
      this.#watcher.on("error", () => {});
    } catch {
      // The timer remains.
    }
  }

  /** Adds a connection; returns a function that removes it. */
  add(device: string, channel: Channel): () => void {
    const channels = this.#channels.get(device) ?? new Set();
    this.#channels.set(device, channels.add(channel));
    this.#devices.touch(device);
    if (!this.#devices.has(device)) channel.destroy(); // revoked during the upgrade
    return () => {
      channels.delete(channel);
      if (channels.size === 0) this.#channels.delete(device);
      this.#devices.touch(device);
    };
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#watcher?.close();
  }

  #dropRevoked(): void {
    for (const [device, channels] of this.#channels) {
      if (this.#devices.has(device)) continue;
      for (const channel of channels) channel.destroy();
    }
  }
}

const checkMs = 1000;
