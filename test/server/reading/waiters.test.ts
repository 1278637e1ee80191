import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { expect } from 'chai';
import {
  byTurns,
  type Waiter,
  Waiters,
} from '../../../server/reading/long-poll/waiters.js';
import { until } from '../../support/until.js';

const SOON_MS = 20;

describe('those who wait for the same', () => {
  const waiter = (soon: number): Waiter => ({
    res: new ServerResponse(new IncomingMessage(new Socket())),
    network: Buffer.alloc(4),
    since: 0,
    until: performance.now() + soon,
    held: false,
    responder: { answer: () => {}, finish: () => {}, fail: () => {} },
  });
  const parts = {
    readLimiter: { enterWait: () => {}, leaveWait: () => {} } as never,
    stopping: new AbortController().signal,
  };

  it('are due or timed, wherever their time ends between two looks', async () => {
    const one = waiter(SOON_MS);
    const before = one.until - 0.001;
    let looks = 0;
    const waiters: Waiters = new Waiters(
      parts,
      () => {
        looks += 1;
        // The clock was read just before its time, which is over by now.
        if (looks < 3) waiters.setTimer(before);
      },
      () => {},
    );
    waiters.add(one);
    waiters.hold(one);
    await until('a third look', () => looks === 3);
    expect(waiters.allDue(before)).to.deep.equal([]);
    expect(waiters.allDue(one.until)).to.deep.equal([one]);
  });

  it('leave no timer when the last of them goes', () => {
    const one = waiter(SOON_MS);
    let empty = 0;
    const waiters = new Waiters(
      parts,
      () => {},
      () => {
        empty += 1;
      },
    );
    waiters.add(one);
    one.res.emit('close');
    expect(waiters.size).to.equal(0);
    expect(empty).to.equal(1);
  });
});

/** Keeps the process busy for so many milliseconds. */
function busy(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

describe('long work by turns', () => {
  it('is done in order, and lets other work come in between', async () => {
    const items = Array.from({ length: 12 }, (_, n) => n);
    const done: (number | string)[] = [];
    await new Promise<void>((resolve) => {
      byTurns(items, (item) => {
        if (item === 0) setImmediate(() => done.push('other'));
        busy(3);
        done.push(item);
        if (item === 11) resolve();
      });
    });
    expect(done.filter((one) => one !== 'other')).to.deep.equal(items);
    expect(done.indexOf('other')).to.be.within(1, 3);
  });
});
