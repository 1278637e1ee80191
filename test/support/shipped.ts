import { readFile } from 'node:fs/promises';

const SHIPPED = new URL('../../deploy/cluster/', import.meta.url);

export type Change = readonly [from: string, to: string];

/** Of `deploy/cluster`, with paths of this machine. @throws Error */
export async function shipped(
  name: string,
  changes: readonly Change[],
): Promise<string> {
  let text = await readFile(new URL(name, SHIPPED), 'utf8');
  for (const [from, to] of changes) {
    if (!text.includes(from)) throw new Error(`${name} has no "${from}"`);
    text = text.replaceAll(from, to);
  }
  return text;
}
