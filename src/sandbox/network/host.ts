import { BlockList, isIPv4, isIPv6 } from "node:net";

/** A host in its canonical spelling. */
export interface Host {
  /** Lower case and ASCII, without a final dot; an address in its usual spelling, without brackets. */
  text: string;
  isAddress: boolean;
}

/**
 * Parses a host as clients spell it: any case, international names, a final dot, brackets, and
 * addresses in decimal, octal or hexadecimal notation. An IPv4 address inside of an IPv6 address is
 * returned as the IPv4 address. Returns `undefined` if it is not a host.
 */
export function parseHost(spelled: string): Host | undefined {
  const text = /^\[(.*)\]$/.exec(spelled)?.[1] ?? spelled;
  if (text.includes(":")) return isIPv6(text) ? parseAddress(text) : undefined;
  if (text !== spelled || !onlyHost.test(text) || !URL.canParse(`http://${text}`)) return undefined;
  const name = new URL(`http://${text}`).hostname.replace(/\.$/, "");
  if (isIPv4(name)) return { text: name, isAddress: true };
  const isName = name.length <= longestName && dnsName.test(name);
  return isName ? { text: name, isAddress: false } : undefined;
}

/** Characters that end or change the host of a URL, and white space. */
const onlyHost = /^[^\s/?#@\\%:[\]]+$/;
const dnsName = /^[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*$/;
const longestName = 253;

function parseAddress(text: string): Host | undefined {
  // A zone, such as `%eth0`, is not part of a URL.
  if (!URL.canParse(`http://[${text}]`)) return undefined;
  const address = new URL(`http://[${text}]`).hostname.slice(1, -1);
  const mapped = /^::ffff:([0-9a-f]+):([0-9a-f]+)$/.exec(address);
  if (mapped === null) return { text: address, isAddress: true };
  const [high, low] = [mapped[1], mapped[2]].map((part) => Number.parseInt(part ?? "", 16));
  const bytes = [high, low].flatMap((part = 0) => [part >> 8, part & 0xff]);
  return { text: bytes.join("."), isAddress: true };
}

/** Kinds of addresses that are not on the internet; `special` has link-local and metadata addresses. */
export type LocalKind = "loopback" | "private" | "special";

/** Returns the kind of an address that is not on the internet; `undefined` if it is. */
export function localKind(address: string): LocalKind | undefined {
  const family = isIPv6(address) ? "ipv6" : "ipv4";
  return kinds[family].find(({ list }) => list.check(address, family))?.kind;
}

/** One list per family: an IPv4 address would also be found in a range of IPv6. */
const kinds = {
  ipv4: [
    listOf("loopback", "127.0.0.0/8"),
    listOf("private", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10"),
    // This network, link-local with the metadata services, and protocol assignments.
    listOf("special", "0.0.0.0/8", "169.254.0.0/16", "192.0.0.0/24", "192.88.99.0/24"),
    // Documentation, benchmarks, multicast and reserved.
    listOf("special", "192.0.2.0/24", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24"),
    listOf("special", "224.0.0.0/3"),
  ],
  ipv6: [
    listOf("loopback", "::1/128"),
    listOf("private", "fc00::/7"),
    // Everything outside of the global range: unspecified, link-local, multicast, reserved.
    listOf("special", "::/3", "4000::/2", "8000::/1"),
    // Addresses that contain another one (Teredo, 6to4), and documentation.
    listOf("special", "2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"),
  ],
} as const;

function listOf(
  kind: LocalKind,
  ...subnets: readonly string[]
): { kind: LocalKind; list: BlockList } {
  const list = new BlockList();
  for (const subnet of subnets) {
    const [address = "", bits] = subnet.split("/");
    list.addSubnet(address, Number(bits), isIPv6(address) ? "ipv6" : "ipv4");
  }
  return { kind, list };
}
