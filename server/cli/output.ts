import { createInterface } from 'node:readline/promises';
import { Progress } from '../../client/cli/progress.js';
import { say } from '../../client/cli/standard-output.js';
import { CommandFailure } from './failure.js';

export const JSON_OPTION = ['--json', 'print JSON for programs'] as const;
export type JsonOption = { json?: boolean };

export function print(json: boolean, value: object, text: string): void {
  say(json ? `${JSON.stringify(value)}\n` : `${text}\n`, value);
}

export async function shown<T>(
  label: string,
  unit: string,
  json: boolean,
  work: (onProgress: (done: number, of: number) => void) => Promise<T>,
): Promise<T> {
  const progress = new Progress(label, json);
  return await work((done, of) => progress.at(done, of, unit)).finally(() =>
    progress.end(),
  );
}

type Flags = { json?: unknown; yes?: unknown };

/** False without a terminal or with `--yes` or `--json`. */
export function canAsk({ json, yes }: Flags): boolean {
  return process.stdin.isTTY && process.stderr.isTTY && !json && !yes;
}

/** @throws CommandFailure where nobody agrees, or can be asked without `--yes` */
export async function assertAgreed(
  flags: Flags,
  lines: readonly string[],
  word: string,
  facts?: Record<string, unknown>,
): Promise<void> {
  if (flags.yes || (canAsk(flags) && (await agree(lines, word)))) return;
  const why = `${lines.join(' ')} Add --yes to do it.`;
  throw new CommandFailure(canAsk(flags) ? 'Nothing was changed.' : why, facts);
}

/** On standard error; true when the word was typed. */
async function agree(lines: readonly string[], word: string): Promise<boolean> {
  return (await ask(`${lines.join('\n')}\nType ${word} to go on: `)) === word;
}

/** On standard error; trimmed. */
export async function ask(question: string): Promise<string> {
  const input = createInterface({
    input: process.stdin,
    output: process.stderr,
  });
  try {
    return (await input.question(question)).trim();
  } finally {
    input.close();
  }
}

export const some = (count: number, what: string): string =>
  `${count} ${what}${count === 1 ? '' : 's'}`;
