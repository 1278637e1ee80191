import fc from 'fast-check';
import { ROOMS } from '../../../protocol/room.js';
import type { Statement } from '../../../protocol/statement.js';
import { LogEntry } from '../../../server/db/entities/log.js';
import { OWN_LOG } from '../../../server/ledger/own-log.sql.js';
import { recordFaults } from '../../faults/report.js';
import {
  type Agent,
  advance,
  freshPair,
  newAgent,
  record,
} from '../../support/agent.js';
import { FULL } from '../../support/full.js';
import { chosenSeed, randomBytes } from '../../support/random.js';
import { rows } from '../../support/rows.js';
import { lies, toldBy } from '../hostile/page-changes.js';
import { noise, ScriptedLog } from '../support/scripted-log.js';
import { type HandIn, relayBody } from './hand-in.js';
import { A, givenLinked } from './linked-boards.js';

const RUNS = FULL ? 2000 : 80;
const CASES = 1500;
const MOST = Number.MAX_SAFE_INTEGER;

const text = fc.oneof(
  fc.constant('Words that keep the rules.'),
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.constantFrom('', '\0', '\u202e', 'x'.repeat(9000), '#9007199254740991'),
);
const time = fc.constantFrom(0, 1, 8.64e15, 8.64e15 + 1, MOST - 1, MOST);
const id = fc.constantFrom(1, 2, 2 ** 31 - 1, 2 ** 31, 2 ** 32, MOST);
const hash = fc.constant(noise('nobody'));

/** Rightly signed, whatever it says: this is past every check of a form. */
const said = fc.record(
  {
    board: fc.constantFrom('board-b.example', 'board-a.example:80'),
    at: time,
    room: fc.constantFrom(...ROOMS),
    request: fc.uuid(),
    parent: fc.record({ id, hash }),
    content: hash,
    vote: fc.constant(1 as const),
  },
  { requiredKeys: [] },
);
const words = fc.record(
  {
    name: text,
    title: text,
    body: text,
    poll: fc.record({
      question: text,
      options: fc.array(text, { minLength: 2, maxLength: 8 }),
      duration_hours: fc.constantFrom(0, 24, 720, MOST),
    }),
  },
  { requiredKeys: [] },
);
const noted = fc.record(
  {
    from: fc.constantFrom('board-a.example', 'nobody.example'),
    to: fc.constantFrom('board-b.example', 'nobody.example'),
    at: time,
    request: fc.uuid(),
    message: hash,
  },
  { requiredKeys: [] },
);
/** Nothing is changed more often than anything else. */
const seldom = <T>(of: fc.Arbitrary<T>) =>
  fc.option(of, { freq: 2, nil: undefined }).map((it) => it ?? {});

const FORGERIES = [
  'none',
  'node key',
  'agent key',
  'agent signature',
  'relay signature',
  'former key',
  'revoked',
  'stranger’s keys',
  'keys backwards',
  'no keys',
  'a key twice',
  'text',
] as const;
const asked = fc.record({
  statement: seldom(said),
  content: seldom(words),
  relay: seldom(noted),
  forgery: fc.oneof(
    fc.constant('none' as const),
    fc.constantFrom(...FORGERIES),
  ),
  known: fc.boolean(),
  place: fc.nat(),
});
type Asked = typeof asked extends fc.Arbitrary<infer T> ? T : never;
type Body = ReturnType<typeof relayBody>;

/** One character of the last line's base64, or of what it signs. */
function changed(note: string, place: number, line: boolean): string {
  const start = line ? note.lastIndexOf(' ') + 8 : note.indexOf('\n') + 1;
  const end = line ? note.length - 4 : note.indexOf('\n\n');
  const at = start + (place % Math.max(1, end - start));
  return (
    note.slice(0, at) + (note[at] === 'A' ? 'B' : 'A') + note.slice(at + 1)
  );
}

describe('generated relays', () => {
  const scene = givenLinked();
  const statuses = new Map<string, number>();

  it('are published only with every signature right, and never an error', async () => {
    const seed = chosenSeed();
    await fc.assert(fc.asyncProperty(asked, handedIn), {
      numRuns: RUNS,
      seed,
      includeErrorInReport: true,
    });
    const shown = JSON.stringify([...statuses]);
    expect(statuses.get('none 201') ?? 0, shown).to.be.above(0);
    await recordFaults({ test: 'F18 relays', seed, faults: RUNS });
  });

  it('are never an error of the server, however their JSON is changed', async () => {
    const met = new Map<number, number>();
    const property = fc.asyncProperty(
      lies,
      fc.boolean(),
      async (it, polled) => {
        const poll = {
          question: 'Q?',
          options: ['a', 'b'],
          duration_hours: 24,
        };
        const hand = polled ? { content: { poll } } : {};
        const body = relayBody(scene, scene.agent, hand);
        const {
          status,
          body: said,
          text,
        } = await scene.a
          .as()
          .post('/api/mesh/relay')
          .set('Content-Type', 'application/json')
          .send(toldBy(it, body, new ScriptedLog(A, 1)));
        expect(status, text).to.be.within(200, 499);
        if (status >= 400) expect(said.error, text).to.match(/^[a-z_]+$/);
        met.set(status, (met.get(status) ?? 0) + 1);
      },
    );
    const seed = chosenSeed();
    const options = { numRuns: CASES, seed, includeErrorInReport: true };
    await fc.assert(property, options);
    expect(met.get(400) ?? 0).to.be.above(CASES / 4);
  });

  const posts = () =>
    rows(scene.a).countBy(LogEntry, { originId: OWN_LOG, type: 'post' });

  async function bodyOf(it: Asked): Promise<Body> {
    const agent = newAgent();
    const { forgery, known } = it;
    if (known) await record(scene.a, agent.notes[0] ?? '');
    const ended = forgery === 'former key' || forgery === 'revoked';
    const signer: Agent = { ...agent, events: [...agent.events] };
    if (ended) {
      advance(agent, forgery === 'revoked' ? 'revoke' : 'rotate');
      if (known) await record(scene.a, agent.notes[1] ?? '');
    }
    if (forgery === 'keys backwards') advance(agent, 'rotate');
    const keys: Record<string, string[]> = {
      'stranger’s keys': newAgent().notes,
      'keys backwards': [...agent.notes].reverse(),
      'no keys': [],
      'a key twice': [...agent.notes, ...agent.notes],
    };
    const by = forgery === 'keys backwards' ? agent : ended ? signer : agent;
    const from =
      forgery === 'agent key' ? { ...by, pairs: by.pairs.map(freshPair) } : by;
    const hand: HandIn = {
      statement: it.statement as Partial<Statement>,
      content: { salt: randomBytes(16), ...it.content },
      relay: it.relay,
      keys: keys[forgery] ?? agent.notes,
      ...(forgery === 'node key'
        ? { node: { ...scene.b.board.context.keys.node, pair: freshPair() } }
        : {}),
    };
    const body = relayBody(scene, from, hand);
    const { envelope } = body;
    const note = String(envelope.note);
    if (forgery === 'agent signature') {
      return {
        ...body,
        envelope: { ...envelope, note: changed(note, it.place, true) },
      };
    }
    if (forgery === 'text') {
      return {
        ...body,
        envelope: { ...envelope, note: changed(note, it.place, false) },
      };
    }
    if (forgery === 'relay signature') {
      return { ...body, relay_note: changed(body.relay_note, it.place, true) };
    }
    return body;
  }

  async function handedIn(it: Asked): Promise<void> {
    const body = await bodyOf(it);
    const before = await posts();
    const send = () =>
      scene.a.as('198.51.100.9').post('/api/mesh/relay').send(body);
    const answer = await send();
    const { status } = answer;
    const count = `${it.forgery} ${status}`;
    statuses.set(count, (statuses.get(count) ?? 0) + 1);
    const reason = String(answer.body.error);
    if (status >= 500) expect(reason, answer.text).to.match(/^503 [a-z_]+$/);
    if (status >= 400) expect(reason).to.match(/^[a-z_]+$/);
    const taken = status === 200 || status === 201;
    expect(await posts()).to.equal(before + (taken ? 1 : 0));
    if (!taken) return;
    const right =
      it.forgery === 'none' ||
      it.forgery === 'a key twice' ||
      it.forgery === 'keys backwards' ||
      (it.forgery === 'no keys' && it.known);
    expect(right, `${it.forgery}: ${answer.text}`).to.equal(true);
    expect(Object.keys(it.relay)).to.not.include.members(['from']);
    expect((await send()).status, 'the same again').to.equal(200);
    expect(await posts()).to.equal(before + 1);
  }
});
