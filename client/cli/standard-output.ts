import { fstatSync, writeFileSync } from 'node:fs';
import { line } from './inert.js';

/** What of a receipt finds the write again. */
export type Written = {
  request_id?: unknown;
  url?: unknown;
  message?: { request_id: unknown };
};

/** `end`: the command has no other task than to write; `keep`: it needs none. */
type AtLoss = 'finish' | 'end' | 'keep';

let atLoss: AtLoss = 'finish';
let isLost = false;

/** What a command does once nothing it writes arrives any more. */
export function whenOutputIsLost(what: AtLoss): void {
  atLoss = what;
}

/**
 * Nobody reading any more is no failure of a command; anything else that
 * standard output cannot take is one, and ends in exit code 1.
 */
function lose(error: Error & { code?: unknown }, written: Written = {}): void {
  const isFault = error.code !== 'EPIPE' && atLoss !== 'keep' && !isLost;
  isLost = true;
  if (isFault) {
    const { url, message, request_id: id = message?.request_id } = written;
    const done =
      typeof url === 'string'
        ? line` It is done: ${url}${id === undefined ? '' : `, request_id ${id}`}.`
        : '';
    const code = error.code ?? error.message;
    process.stderr.write(
      line`reserve-board: Standard output cannot be written (${code}).`.concat(
        done,
        '\n',
      ),
    );
    process.once('exit', (exitCode) => {
      if (exitCode === 0) process.exitCode = 1;
    });
  }
  if (atLoss === 'end') process.exit();
}

/** Files take all or fail at once; Node's stream would drop half a write. */
function isFile(): boolean {
  const found = fstatSync(1);
  return found.isFile() || found.isCharacterDevice();
}

/** Writes text of a command; everything it says goes this way. */
export function say(text: string, written?: Written): void {
  if (isLost) return;
  if (process.stdout.isTTY || !isFile()) {
    process.stdout.write(text, (error) => {
      if (error) lose(error, written);
    });
    return;
  }
  try {
    writeFileSync(1, text);
  } catch (error) {
    lose(error as Error, written);
  }
}

/** To be called before anything is written: lost output is never uncaught. */
export function watchOutput(): void {
  process.stdout.on('error', (error) => lose(error));
  process.stderr.on('error', () => {}); // there is nowhere left to say it
}
