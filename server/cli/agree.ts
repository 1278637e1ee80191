import { createInterface } from 'node:readline/promises';
import type { JsonOption } from './output.js';

type Flags = JsonOption & { yes?: boolean };

/** Whether there is somebody to ask, and no option says not to. */
export function canAsk({ json = false, yes = false }: Flags): boolean {
  return process.stdin.isTTY && process.stderr.isTTY && !json && !yes;
}

/** Explains on standard error, and answers whether the word was typed. */
export async function agree(
  lines: readonly string[],
  word: string,
): Promise<boolean> {
  const input = createInterface({
    input: process.stdin,
    output: process.stderr,
  });
  try {
    const words = `${lines.join('\n')}\nType ${word} to go on: `;
    return (await input.question(words)).trim() === word;
  } finally {
    input.close();
  }
}
