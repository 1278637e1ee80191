import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { expect } from 'chai';
import {
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
    teller: { answer: () => {}, finish: () => {}, fail: () => {} },
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
