import { expect } from 'chai';
import express, { type Express } from 'express';
import supertest from 'supertest';
import { systemClock } from '../../../server/clock.js';
import { raiseRevision } from '../../../server/db/notifications.js';
import {
  offerToCache,
  ResponseCache,
} from '../../../server/http/fast/response-cache.js';
import { sendText } from '../../../server/http/send.js';

const NOON = Date.UTC(2026, 0, 1, 12);
const HOUR = 3_600_000;
const LARGE = 500 * 1024;
/** As `performance.now()` tells it. */
const MADE = 5000;

describe('the keeping of finished answers', () => {
  const { now } = performance;
  let clock = NOON;
  let freshness: { knownUntil: number; asked: number; ask(): void };
  let kept: ResponseCache;
  let app: Express;

  beforeEach(() => {
    clock = NOON;
    freshness = {
      knownUntil: Number.NEGATIVE_INFINITY,
      asked: 0,
      ask: () => {
        freshness.asked += 1;
      },
    };
    kept = new ResponseCache({ ...systemClock, now: () => clock }, freshness);
    app = express();
    app.get('/:size', offerToCache(kept), (req, res) => {
      const text = 'x'.repeat(Number(req.params.size));
      sendText(req, res, text, { cache: 'revalidate', until: NOON + HOUR });
    });
  });

  afterEach(() => {
    performance.now = now;
  });

  const at = (ms: number) => {
    performance.now = () => ms;
  };
  const ask = async (path: string) => {
    at(MADE);
    expect((await supertest(app).get(path)).status).to.equal(200);
  };
  const make = async (path: string) => {
    await ask(path);
    await ask(path);
  };
  const isKept = (path: string) => kept.find(path) !== null;

  it('begins with the second request of an address', async () => {
    await ask('/10');
    expect(isKept('/10')).to.equal(false);
    await ask('/11');
    await ask('/10');
    expect(isKept('/10')).to.equal(true);
    expect(isKept('/11')).to.equal(false);
    // Also where a change came between: what is read often stays so.
    raiseRevision();
    await ask('/10');
    expect(isKept('/10')).to.equal(true);
  });

  it('holds for a second when nothing is known, and asks before', async () => {
    await make('/10');
    expect(isKept('/10')).to.equal(true);
    expect(freshness.asked).to.equal(0);
    at(MADE + 700);
    expect(isKept('/10')).to.equal(true);
    expect(freshness.asked).to.equal(1);
    at(MADE + 1001);
    expect(isKept('/10')).to.equal(false);
    expect(freshness.asked).to.equal(2);
  });

  it('holds for a second from what was known last', async () => {
    await make('/10');
    freshness.knownUntil = MADE + 50_000;
    at(MADE + 50_900);
    expect(isKept('/10')).to.equal(true);
    at(MADE + 51_000);
    expect(isKept('/10')).to.equal(false);
    freshness.knownUntil = MADE + 90_000;
    at(MADE + 90_001);
    expect(isKept('/10')).to.equal(true);
  });

  it('ends with any change, whatever is known', async () => {
    await make('/10');
    freshness.knownUntil = MADE + HOUR;
    raiseRevision();
    expect(isKept('/10')).to.equal(false);
    await make('/11');
    expect(isKept('/10')).to.equal(false);
    expect(isKept('/11')).to.equal(true);
  });

  it('ends when the clock says so, also one that was put back', async () => {
    await make('/10');
    clock = NOON + HOUR - 1;
    expect(isKept('/10')).to.equal(true);
    clock = NOON + HOUR;
    expect(isKept('/10')).to.equal(false);
    clock = NOON - 1;
    expect(isKept('/10')).to.equal(false);
  });

  it('lets the oldest go that nobody reads, and none too large in', async () => {
    freshness.knownUntil = Number.POSITIVE_INFINITY;
    await make(`/${LARGE}?0`);
    for (let n = 1; n <= 140; n += 1) {
      await make(`/${LARGE}?${n}`);
      kept.find(`/${LARGE}?0`);
    }
    expect(isKept(`/${LARGE}?0`)).to.equal(true);
    expect(isKept(`/${LARGE}?1`)).to.equal(false);
    expect(isKept(`/${LARGE}?140`)).to.equal(true);
    await make(`/${LARGE * 2}`);
    expect(isKept(`/${LARGE * 2}`)).to.equal(false);
  });
});
