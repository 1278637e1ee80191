import {
  Operator,
  OperatorPasskey,
} from '../../server/db/entities/operator.js';
import { recordFaults } from '../faults/report.js';
import { FULL } from '../support/full.js';
import { chosenSeed, randomOf } from '../support/random.js';
import { rows } from '../support/rows.js';
import { Authenticator, type Twist } from './access-authenticator.js';
import { Browser } from './access-browser.js';
import { device, inviteCode } from './access-link.js';
import { givenPasskeys, HOME, MINUTE } from './access-passkeys.js';

const RUNS = FULL ? 2000 : 30;
const RACERS = 12;

type Answer = { id: string; response: Record<string, string> };
type Question = { challenge: string; rpId: string };
/** One thing that is wrong, or null where all is as it should be. */
type Wrong = { name: string; twist?: Twist; change?: (it: Answer) => unknown };

const clientOf = (it?: Answer): string =>
  Buffer.from(it?.response.clientDataJSON ?? '', 'base64url').toString('utf8');

describe('generated ceremonies of passkeys', () => {
  const { test, key, enrol, signIn } = givenPasskeys();
  const seed = chosenSeed();
  const random = randomOf(seed);
  const upTo = (n: number) => Math.floor(random() * n);
  const pick = <T>(from: readonly T[]): T => from[upTo(from.length)] as T;

  const count = (entity: typeof Operator | typeof OperatorPasskey) =>
    rows(test).count(entity);

  function damaged(part: string): (it: Answer) => Answer {
    const kind = pick(['flip', 'cut', 'more', 'zero', 'twice'] as const);
    const [at, bit] = [random(), 1 << upTo(8)];
    return (it) => {
      const bytes = Buffer.from(it.response[part] ?? '', 'base64url');
      const n = Math.floor(at * bytes.length);
      const flipped = Buffer.from(bytes);
      flipped[n] = (flipped[n] ?? 0) ^ bit;
      const made = {
        flip: flipped,
        cut: bytes.subarray(0, n),
        more: Buffer.concat([bytes, Buffer.of(bit)]),
        zero: Buffer.alloc(bytes.length),
        twice: Buffer.concat([bytes, bytes]),
      }[kind];
      const response = { ...it.response, [part]: made.toString('base64url') };
      return { ...it, response };
    };
  }

  /** Of another ceremony of the same device, which the board once took. */
  function spliced(part: string, from: Answer): (it: Answer) => Answer {
    const old = from.response[part] ?? '';
    return (it) => ({ ...it, response: { ...it.response, [part]: old } });
  }

  const PARTS = ['clientDataJSON', 'authenticatorData', 'signature'] as const;

  /** Presence and verification, and no part that is not there. */
  const isFine = (flags: number) =>
    (flags & 0x05) === 0x05 && (flags & 0xc0) === 0 && (flags & 0x18) !== 0x10;

  function wrongOf(former: Answer, challenges: readonly string[]): Wrong {
    const kind = pick([
      'damage',
      'splice',
      'flags',
      'challenge',
      'name',
      'whole',
    ]);
    if (kind === 'damage') {
      const part = pick(PARTS);
      return { name: `damaged ${part}`, change: damaged(part) };
    }
    if (kind === 'splice') {
      const part = pick(PARTS);
      return { name: `another ${part}`, change: spliced(part, former) };
    }
    if (kind === 'flags') {
      const flags = pick(
        Array.from({ length: 256 }, (_, n) => n).filter((n) => !isFine(n)),
      );
      return { name: `flags ${flags}`, twist: { flags } };
    }
    if (kind === 'challenge') {
      const challenge = pick(challenges);
      return { name: 'another challenge', twist: { challenge } };
    }
    if (kind === 'whole') return { name: 'a replay', change: () => former };
    const id = Buffer.from(key.id);
    id[1 + upTo(id.length - 1)] = upTo(256);
    id[0] = (id[0] ?? 0) ^ 1;
    const name = id.toString('base64url');
    return {
      name: 'another name',
      change: (it) => ({ ...it, id: name, rawId: name }),
    };
  }

  it(`open a session only with every byte right, ${RUNS} of them`, async () => {
    const stranger = new Browser(test);
    let counter = 1000;
    let former: Answer | null = null;
    let opened = 0;
    for (let n = 0; n < RUNS; n += 1) {
      test.clock.advance(16 * MINUTE);
      const code = await inviteCode(test, 'emma', 'viewer');
      const one = await device(test, 'admin');
      const ask = async (path: string, body: object = {}, by = stranger) => {
        const { body: answer } = await by.post(path, body);
        return (answer.options as Question | undefined)?.challenge ?? 'AAAA';
      };
      const wrong: Wrong | null =
        former === null || n % 5 === 0
          ? null
          : wrongOf(former, [
              await ask('/sign-in/passkey/options').then((it) => `${it}A`),
              await ask('/setup/passkey/options', { code }),
              await ask('/step-up/passkey/options', {}, one),
              JSON.parse(clientOf(former)).challenge,
            ]);
      counter += 1 + upTo(3);
      let given: Answer | null = null;
      const [sent, browser] = await signIn({
        twist: { counter, ...wrong?.twist },
        change: (it) => {
          given = it as Answer;
          return wrong?.change?.(given) ?? given;
        },
      });
      const shown = `seed ${seed}, run ${n}: ${wrong?.name} ${sent.text}`;
      if (wrong === null) {
        expect(sent.status, shown).to.equal(200);
        former = given;
        opened += 1;
        continue;
      }
      expect(sent.status, shown).to.be.oneOf([400, 401, 422]);
      expect([browser.cookie, browser.device], shown).to.deep.equal([
        null,
        null,
      ]);
    }
    expect(opened).to.equal(Math.ceil(RUNS / 5));
    await recordFaults({ test: 'G11 sign-ins', faults: RUNS - opened, seed });
  });

  it(`take a counter that rises and no other, ${RUNS} of them`, async () => {
    const most = 2 ** 32 - 1;
    let stored = 99_999;
    for (let n = 0; n < RUNS; n += 1) {
      test.clock.advance(16 * MINUTE);
      const counter = pick([
        ...(n === 0 ? [] : [0, 1, stored - 1, stored]),
        ...[
          Math.min(most, stored + 1),
          Math.min(most, stored + 2 + upTo(1000)),
        ],
        ...(n > RUNS - 3 ? [2 ** 31, most] : []),
      ]);
      const [{ status, text }] = await signIn({ twist: { counter } });
      const rises = counter > stored;
      const shown = `seed ${seed}: ${counter} after ${stored}: ${text}`;
      expect(status, shown).to.equal(rises ? 200 : 401);
      if (rises) stored = counter;
    }
  });

  it(`enrol what was signed or nothing, ${RUNS} of them`, async () => {
    for (let n = 0; n < RUNS; n += 1) {
      test.clock.advance(16 * MINUTE);
      const code = await inviteCode(test, 'fred', 'viewer');
      const before = await count(OperatorPasskey);
      const part = pick(['clientDataJSON', 'attestationObject']);
      const change = damaged(part);
      const sent: Answer[] = [];
      const answer = await enrol(code, {
        change: (it) => {
          sent.push(change(it as Answer));
          return sent.at(-1);
        },
      });
      const shown = `seed ${seed}, run ${n}: ${answer.text}`;
      expect(answer.status, shown).to.be.oneOf([201, 400, 422]);
      const look = await new Browser(test).post('/setup/look', { code });
      if (answer.status !== 201) {
        expect(look.status, shown).to.equal(200);
        continue;
      }
      // Bytes of the device's own, such as its key: its account and no other.
      const { type, origin } = JSON.parse(clientOf(sent.at(-1)));
      expect([type, origin], shown).to.deep.equal(['webauthn.create', HOME]);
      expect(answer.body.operator, shown).to.include({
        name: 'fred',
        role: 'viewer',
      });
      expect(look.status, shown).to.equal(404);
      expect(await count(OperatorPasskey)).to.be.at.most(before + 1);
    }
    await recordFaults({ test: 'G11 new', faults: RUNS, seed });
  });

  it(`of ${RACERS} that race for one link enrol one`, async () => {
    for (const role of ['admin', 'viewer'] as const) {
      const code = await inviteCode(test, `gina-${role}`, role);
      const before = [await count(Operator), await count(OperatorPasskey)];
      const asked = await Promise.all(
        Array.from({ length: RACERS }, async () => {
          const browser = new Browser(test);
          const { body } = await browser.post('/setup/passkey/options', {
            code,
          });
          return { browser, options: body.options };
        }),
      );
      const made = await Promise.all(
        asked.map(({ browser, options }) => {
          const response = new Authenticator(HOME).create(options);
          return browser.post('/setup/passkey', { code, response });
        }),
      );
      const statuses = made.map(({ status }) => status).sort();
      const lost = Array(RACERS - 1).fill(404);
      expect(statuses).to.deep.equal([201, ...lost]);
      const after = [await count(Operator), await count(OperatorPasskey)];
      expect(after).to.deep.equal(before.map((n) => n + 1));
    }
  });

  it('enrol no passkey of another, by a link of its own', async () => {
    const code = await inviteCode(test, 'hugo', 'admin');
    const answer = await enrol(code, { device: key });
    expect(answer.status, answer.text).to.equal(400);
    expect(answer.body.field).to.equal('response');
    const { body } = await new Browser(test).post('/setup/look', { code });
    expect(body.name).to.equal('hugo');
  });
});
