import { fstatSync, writeFileSync } from 'node:fs';
import { line } from './inert.js';

export type Written = {
  request_id?: unknown;
  url?: unknown;
  message?: { request_id: unknown };
};

/** `end`: the command only writes; `keep`: it needs no output. */
type AtLoss = 'finish' | 'end' | 'keep';

let atLoss: AtLoss = 'finish';
let isLost = false;

export function whenOutputIsLost(what: AtLoss): void {
  atLoss = what;
}

/** A closed reader is no failure; other output errors end in exit code 1. */
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

/** All output goes through here. */
export function say(text: string, written?: Written): void {
  if (isLost) return;
  const to = process.stdout.isTTY ? null : fstatSync(1);
  // Node's stream may drop half a write to a file.
  if (!to?.isFile() && !to?.isCharacterDevice()) {
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

/** Call it first: lost output is never uncaught. */
export function watchOutput(): void {
  process.stdout.on('error', (error) => lose(error));
  process.stderr.on('error', () => {}); // there is nowhere left to say it
}
