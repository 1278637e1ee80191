import { readFileSync } from 'node:fs';
import type texts from './texts.json';

const FILE = new URL('texts.json', import.meta.url);

/** `⟨ab×3⟩` is `ababab`: so long texts are short to read. */
const written = (text: string): string =>
  text.replace(/⟨(.+?)×(\d+)⟩/gs, (_, part: string, times: string) =>
    part.repeat(Number(times)),
  );

/**
 * What attackers send. Read as JSON and not imported, as a module would make
 * a prototype of a member that is named `__proto__`.
 */
export const HOSTILE = JSON.parse(readFileSync(FILE, 'utf8'), (_, value) =>
  typeof value === 'string' ? written(value) : value,
) as typeof texts;
