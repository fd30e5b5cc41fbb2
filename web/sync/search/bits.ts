// Sets of messages of one segment, a bit each. Pure.

export type Bits = Uint32Array<ArrayBuffer>;

export function noBits(count: number): Bits {
  return new Uint32Array((count + 31) >>> 5);
}

export function allBits(count: number): Bits {
  const bits = noBits(count).fill(0xffffffff);
  const rest = count & 31;
  if (rest > 0) bits[bits.length - 1] = 2 ** rest - 1;
  return bits;
}

export function has(bits: Uint32Array, at: number): boolean {
  return ((bits[at >>> 5] ?? 0) & (1 << (at & 31))) !== 0;
}

export function add(bits: Uint32Array, at: number): void {
  bits[at >>> 5] = (bits[at >>> 5] ?? 0) | (1 << (at & 31));
}

export function drop(bits: Uint32Array, at: number): void {
  bits[at >>> 5] = (bits[at >>> 5] ?? 0) & ~(1 << (at & 31));
}

export function keepOnly(bits: Uint32Array, others: Uint32Array): void {
  for (let i = 0; i < bits.length; i += 1) bits[i] = (bits[i] ?? 0) & (others[i] ?? 0);
}

export function dropAll(bits: Uint32Array, others: Uint32Array): void {
  for (let i = 0; i < bits.length; i += 1) bits[i] = (bits[i] ?? 0) & ~(others[i] ?? 0);
}

export function countOf(bits: Uint32Array): number {
  let count = 0;
  for (let i = 0; i < bits.length; i += 1) {
    let word = bits[i] ?? 0;
    word -= (word >>> 1) & 0x55555555;
    word = (word & 0x33333333) + ((word >>> 2) & 0x33333333);
    count += Math.imul((word + (word >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
  }
  return count;
}

/** From the last to the first, while `visit` answers true. */
export function eachFromLast(bits: Uint32Array, visit: (at: number) => boolean): void {
  for (let i = bits.length - 1; i >= 0; i -= 1) {
    let word = bits[i] ?? 0;
    while (word !== 0) {
      const bit = 31 - Math.clz32(word);
      word &= ~(1 << bit);
      if (!visit((i << 5) + bit)) return;
    }
  }
}
