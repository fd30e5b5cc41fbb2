// Where a call comes from, for counting only: never stored in the clear, never logged.

/** IPv6 counts by /64, which is what one household or ship is given; the last half changes at will. */
export function addressOf(request: Request): string {
  const address = request.headers.get("cf-connecting-ip") ?? "unknown";
  return address.includes(":") ? prefix64(address) : address;
}

function prefix64(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  if (mapped?.[1]) return mapped[1];
  const [head = "", tail] = address.toLowerCase().split("::", 2);
  const left = head === "" ? [] : head.split(":");
  const right = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros =
    tail === undefined ? [] : Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => "0");
  const groups = [...left, ...zeros, ...right].map((group) => group.replace(/^0+(?=.)/, ""));
  return `${groups.slice(0, 4).join(":")}::/64`;
}
