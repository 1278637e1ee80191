// The second process of boards that are tested as two: see pair.ts.
import { openSync, readSync } from 'node:fs';
import { Board } from '../../server/board.js';
import { type Clock, systemClock } from '../../server/clock.js';
import { parseConfig } from '../../server/config.js';
import { silentLogger } from '../../server/logger.js';
import type { Request, Start } from './pair.js';
import { waitsIn } from './waits.js';

const LOOK_MS = 20;

class FollowingClock implements Clock {
  private readonly file: number;
  private readonly bytes = Buffer.alloc(20);

  constructor(file: string) {
    this.file = openSync(file, 'r');
  }

  now(): number {
    readSync(this.file, this.bytes, 0, this.bytes.length, 0);
    return Number(this.bytes.toString());
  }

  /** Wakes when the clock is moved that far, or after as much of real time. */
  after(ms: number, wake: () => void): () => void {
    const at = this.now() + ms;
    const cancel = () => {
      callOff();
      clearInterval(looking);
    };
    const ring = () => {
      cancel();
      wake();
    };
    const callOff = systemClock.after(ms, ring);
    const looking = setInterval(() => {
      if (this.now() >= at) ring();
    }, LOOK_MS);
    return cancel;
  }
}

const boards = new Map<string, Board>();

async function start(name: string, { env, how, clockFile }: Start) {
  const clock = new FollowingClock(clockFile);
  const options = { clock, log: silentLogger, ...how };
  const board = await Board.create(parseConfig(env), options);
  boards.set(name, board);
  return await board.start();
}

async function stop(name: string) {
  await boards.get(name)?.stop();
  boards.delete(name);
  return 0;
}

/** Answers with a number: the port of a start, how many wait, or 0. */
async function answer(request: Request): Promise<number> {
  const { name, waits } = request;
  if (request.start !== undefined) return await start(name, request.start);
  const board = boards.get(name);
  if (request.flush) await board?.context.telemetry.flush();
  else if (waits === undefined) return await stop(name);
  else if (board !== undefined) return waitsIn(board, waits);
  return 0;
}

process.on('message', (request: Request & { id: number }) => {
  const { id } = request;
  answer(request).then(
    (value) => process.send?.({ id, value }),
    (error: unknown) => process.send?.({ id, error: String(error) }),
  );
});
process.once('disconnect', () => process.exit());
process.send?.('ready');
