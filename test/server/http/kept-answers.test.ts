import { expect } from 'chai';
import express, { type Express } from 'express';
import supertest from 'supertest';
import { systemClock } from '../../../server/clock.js';
import { Echo } from '../../../server/db/notify-roundtrip.js';
import { raiseRevision } from '../../../server/db/revision.js';
import { sendText } from '../../../server/http/conditional.js';
import {
  KeptAnswers,
  offerToKeep,
} from '../../../server/http/fast/response-cache.js';

const NOON = Date.UTC(2026, 0, 1, 12);
const HOUR = 3_600_000;
const LARGE = 500 * 1024;
/** As `performance.now()` tells it. */
const MADE = 5000;

describe('the keeping of finished answers', () => {
  const { now } = performance;
  let clock = NOON;
  let hearing: { heardAt: number; asked: number; ask(): void };
  let kept: KeptAnswers;
  let app: Express;

  beforeEach(() => {
    clock = NOON;
    hearing = {
      heardAt: Number.NEGATIVE_INFINITY,
      asked: 0,
      ask: () => {
        hearing.asked += 1;
      },
    };
    kept = new KeptAnswers({ ...systemClock, now: () => clock }, hearing);
    app = express();
    app.get('/:size', offerToKeep(kept), (req, res) => {
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
  const make = async (path: string) => {
    at(MADE);
    expect((await supertest(app).get(path)).status).to.equal(200);
  };
  const isKept = (path: string) => kept.find(path) !== null;

  it('holds for a second when nothing is heard, and asks before', async () => {
    await make('/10');
    expect(isKept('/10')).to.equal(true);
    expect(hearing.asked).to.equal(0);
    at(MADE + 700);
    expect(isKept('/10')).to.equal(true);
    expect(hearing.asked).to.equal(1);
    at(MADE + 1001);
    expect(isKept('/10')).to.equal(false);
    expect(hearing.asked).to.equal(2);
  });

  it('holds for a second from what was heard last', async () => {
    await make('/10');
    hearing.heardAt = MADE + 50_000;
    at(MADE + 50_900);
    expect(isKept('/10')).to.equal(true);
    at(MADE + 51_000);
    expect(isKept('/10')).to.equal(false);
    hearing.heardAt = MADE + 90_000;
    at(MADE + 90_001);
    expect(isKept('/10')).to.equal(true);
  });

  it('ends with any change, whatever was heard', async () => {
    await make('/10');
    hearing.heardAt = MADE + HOUR;
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
    hearing.heardAt = Number.POSITIVE_INFINITY;
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

describe('a notification to oneself', () => {
  const asked: string[] = [];
  const speaker = {
    query: async (text: string) => asked.push(text),
  };

  it('tells what was known when it was sent, once it came', () => {
    const echo = new Echo('aa');
    echo.ask();
    expect(asked).to.deep.equal([]);
    expect(echo.isMissed).to.equal(true);
    echo.by(speaker);
    const begun = performance.now();
    echo.ask();
    echo.ask();
    const sent = performance.now();
    expect(asked).to.deep.equal(['NOTIFY board_echo_aa']);
    expect(echo.heardAt).to.equal(Number.NEGATIVE_INFINITY);
    echo.came();
    expect(echo.heardAt).to.be.within(begun, sent);
    const { heardAt } = echo;
    echo.came();
    expect(echo.heardAt).to.equal(heardAt);
  });

  it('is nobody’s once the connection is another one', () => {
    const echo = new Echo('bb');
    echo.by(speaker);
    echo.ask();
    echo.by(speaker);
    echo.came();
    expect(echo.heardAt).to.equal(Number.NEGATIVE_INFINITY);
    echo.ask();
    expect(asked.slice(-2)).to.deep.equal([
      'NOTIFY board_echo_bb',
      'NOTIFY board_echo_bb',
    ]);
  });
});
