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

type Flags = JsonOption & { yes?: boolean };

/** False without a terminal or with `--yes` or `--json`. */
export function canAsk({ json = false, yes = false }: Flags): boolean {
  return process.stdin.isTTY && process.stderr.isTTY && !json && !yes;
}

/** @throws CommandFailure where nobody can be asked */
export function assertAsked(flags: Flags, what: string): void {
  if (flags.yes || canAsk(flags)) return;
  throw new CommandFailure(
    `${what} Add --yes to do so where no terminal can ask.`,
  );
}

/** On standard error; true when the word was typed. */
export async function agree(
  lines: readonly string[],
  word: string,
): Promise<boolean> {
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
