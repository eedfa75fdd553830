/** Where the attempts to get around the proxy are directed: servers of the host. */
export interface AttemptTargets {
  /** Port of a web server on `127.0.0.1`, `127.0.0.2` and `127.0.0.3`. */
  port: number;
  udpPort: number;
  /** An address of the host that is not loopback, if it has one. */
  hostAddress: string;
  unixPath: string;
  abstractName: string;
}

/**
 * Returns a program for the sandbox that tries ways around the proxy, and prints one line for each:
 * its name and `reached`, or the error.
 */
export function attemptsProgram(targets: AttemptTargets): string {
  return `const targets = ${JSON.stringify(targets)};
const [net, dgram, http, dns, child] = ["net", "dgram", "http", "dns", "child_process"].map(require);
const { port, udpPort } = targets;
const tcp = (options, send) => new Promise((resolve) => {
  const socket = net.connect(options);
  let text = "";
  socket.setTimeout(3000, () => { socket.destroy(); resolve("timeout"); });
  socket.on("connect", () => send ? socket.write(send) : resolve("reached"));
  socket.on("data", (part) => { text += part.toString("latin1"); });
  socket.on("error", (error) => resolve(error.code));
  socket.on("close", () => resolve(text.includes("SECRET") ? "reached" : text.split("\\r\\n")[0] || "closed"));
});
const udp = (family, address, to = udpPort) => new Promise((resolve) => {
  const socket = dgram.createSocket(family);
  socket.on("error", (error) => { socket.close(); resolve(error.code); });
  socket.bind(() => {
    if (address.endsWith(".255")) socket.setBroadcast(true);
    socket.send("SECRET", to, address, (error) => { socket.close(); resolve(error?.code ?? "sent"); });
  });
});
const sh = (command) => new Promise((resolve) => child.exec(command, { timeout: 5000, shell: "/bin/bash" },
  (error, stdout) => resolve(stdout.includes("SECRET") ? "reached" : error ? "failed" : "nothing")));
const proxy = { host: "127.0.0.1", port: 3128 };
const get = (host, header = host + ":" + port) =>
  tcp(proxy, "GET http://" + host + ":" + port + "/ HTTP/1.1\\r\\nHost: " + header + "\\r\\nConnection: close\\r\\n\\r\\n");
const connect = (host, to = port) => tcp(proxy, "CONNECT " + host + ":" + to + " HTTP/1.1\\r\\n\\r\\n");
const socks = (bytes) => new Promise((resolve) => {
  const socket = net.connect(proxy, () => socket.write(Buffer.from([5, 1, 0])));
  let size = 0;
  socket.on("data", (part) => {
    if (size === 0) socket.write(bytes);
    else resolve("reply " + part[1]);
    size += part.length;
  });
  socket.on("error", (error) => resolve(error.code));
});
const name = (text) => Buffer.from([5, 1, 0, 3, text.length, ...Buffer.from(text), port >> 8, port & 255]);
const attempts = {
  "TCP to loopback of the host": () => tcp({ host: "127.0.0.1", port }),
  "TCP to the address of an allowed host": () => tcp({ host: "127.0.0.2", port }),
  "TCP to IPv6 loopback": () => tcp({ host: "::1", port }),
  "TCP to an address of the host": () => tcp({ host: targets.hostAddress, port }),
  "TCP to the internet": () => tcp({ host: "8.8.8.8", port: 53 }),
  "TCP to the internet by IPv6": () => tcp({ host: "2001:4860:4860::8888", port: 53 }),
  "TCP to the metadata service": () => tcp({ host: "169.254.169.254", port: 80 }),
  "DNS by UDP": () => udp("udp4", "8.8.8.8", 53),
  "UDP to the internet by IPv6": () => udp("udp6", "2001:4860:4860::8888", 53),
  "UDP by broadcast": () => udp("udp4", "255.255.255.255"),
  "UDP to an address of the host": () => udp("udp4", targets.hostAddress),
  "the system's resolver": () => new Promise((resolve) => dns.lookup("good.test", (error) => resolve(error?.code ?? "reached"))),
  "a Unix socket of the host": () => tcp({ path: targets.unixPath }),
  "an abstract Unix socket of the host": () => tcp({ path: "\\0" + targets.abstractName }),
  "/dev/tcp of bash": () => sh("exec 3<>/dev/tcp/127.0.0.2/" + port + "; printf 'GET / HTTP/1.0\\\\r\\\\n\\\\r\\\\n' >&3; cat <&3"),
  "curl without the variables": () => sh("env -u http_proxy -u HTTP_PROXY -u ALL_PROXY -u all_proxy curl -s http://good.test:" + port + "/"),
  "curl that ignores the proxy": () => sh("curl -s --noproxy '*' --resolve good.test:" + port + ":127.0.0.2 http://good.test:" + port + "/"),
  "curl with a redirect to a denied host": () => sh("curl -sfL http://good.test:" + port + "/moved"),
  "a new network device": () => sh("ip link add dummy0 type dummy && echo SECRET"),
  "a new address": () => sh("ip addr add 10.9.9.9/8 dev lo && echo SECRET"),
  "the namespace of another process": () => sh("nsenter -t 1 -n curl -s --noproxy '*' http://127.0.0.2:" + port + "/"),
  "another namespace": () => sh("unshare -rn curl -s --noproxy '*' http://127.0.0.2:" + port + "/"),
  "ping": () => sh("ping -c 1 -W 1 8.8.8.8 && echo SECRET"),
  "a denied name": () => get("denied.test"),
  "a denied name in upper case with a dot": () => get("DENIED.TEST."),
  "an unlisted name": () => get("unlisted.test"),
  "a name for an address that is not listed": () => get("rebound.test"),
  "localhost": () => get("localhost"),
  "a loopback address": () => get("127.0.0.1"),
  "a short loopback address": () => get("127.1"),
  "a decimal loopback address": () => get("2130706433"),
  "an octal loopback address": () => get("0177.0.0.1"),
  "a hexadecimal loopback address": () => get("0x7f000001"),
  "IPv6 loopback": () => get("[::1]"),
  "IPv4 loopback inside of IPv6": () => get("[::ffff:127.0.0.1]"),
  "the metadata service": () => get("169.254.169.254"),
  "another Host header": () => get("good.test", "denied.test"),
  "credentials that look like an allowed host": () => get("good.test@denied.test"),
  "CONNECT to a denied name": () => connect("denied.test"),
  "CONNECT to a loopback address": () => connect("127.0.0.1"),
  "CONNECT to an unlisted address": () => connect("127.0.0.3"),
  "SOCKS5 to a denied name": () => socks(name("denied.test")),
  "SOCKS5 to a loopback address as a name": () => socks(name("127.1")),
  "SOCKS5 to an address": () => socks(Buffer.from([5, 1, 0, 1, 127, 0, 0, 3, port >> 8, port & 255])),
  "SOCKS5 for UDP": () => socks(Buffer.from([5, 3, 0, 1, 0, 0, 0, 0, 0, 0])),
  "huge headers": () => tcp(proxy, "GET http://good.test:" + port + "/ HTTP/1.1\\r\\nX: " + "x".repeat(200000) + "\\r\\n\\r\\n"),
  "an allowed name": () => get("good.test"),
};
void Promise.all(Object.entries(attempts).map(async ([what, attempt]) => {
  console.log(what + ": " + (await attempt()));
})).then(() => process.exit());
`;
}
