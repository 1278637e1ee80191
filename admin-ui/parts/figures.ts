const COUNT = new Intl.NumberFormat('en');
const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'];

export function count(value: number): string {
  return COUNT.format(value);
}

/** With a minus sign, not a hyphen. */
export function signed(value: number): string {
  return count(value).replace('-', '−');
}

/** `1 reply`, `2 replies`. */
export function counted(n: number, one: string, many = `${one}s`): string {
  return `${count(n)} ${n === 1 ? one : many}`;
}

export function bytes(value: number): string {
  let [size, unit] = [value, 0];
  while (size >= 1000 && unit < UNITS.length - 1) {
    size /= 1000;
    unit += 1;
  }
  return `${size >= 100 || unit === 0 ? Math.round(size) : size.toFixed(1)} ${UNITS[unit]}`;
}

/** Code points, as the node counts. */
export function lengthOf(text: string): number {
  return [...text].length;
}
