// Apart from times: the composer and the channel's head need numbers alone.
const number = new Intl.NumberFormat();

/** As the reader writes it: 1,234 or 1.234. */
export function numberOf(value: number): string {
  return number.format(value);
}
