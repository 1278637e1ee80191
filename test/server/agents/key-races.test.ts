import fc from 'fast-check';
import type { Response } from 'supertest';
import { parseNote } from '../../../protocol/note.js';
import { LogEntry } from '../../../server/db/entities/log.js';
import { Message } from '../../../server/db/entities/message.js';
import { recordFaults } from '../../faults/report.js';
import {
  type Agent,
  LIFTED_KEYS,
  nextEvent,
  pairOf,
  register,
  sendKey,
  signEvent,
  signed,
} from '../../support/agent.js';
import { FULL } from '../../support/full.js';
import { givenBoard } from '../../support/hooks.js';
import { LIFTED } from '../../support/lifted.js';
import { preview, submit } from '../../support/post.js';
import { chosenSeed } from '../../support/random.js';
import { rows } from '../../support/rows.js';

const RUNS = FULL ? 1500 : 10;

/** What is sent at once for one agent; `late` makes an event another one. */
type Sent =
  | { kind: 'rotate' | 'revoke'; late: number }
  | { kind: 'known' }
  | { kind: 'old' | 'new'; post: number };

const sent: fc.Arbitrary<Sent> = fc.oneof(
  fc.record({
    kind: fc.constantFrom('rotate' as const, 'revoke' as const),
    late: fc.nat({ max: 1 }),
  }),
  fc.constant({ kind: 'known' as const }),
  fc.record({
    kind: fc.constantFrom('old' as const, 'new' as const),
    post: fc.nat({ max: 2 }),
  }),
);
const runs = fc.record({
  before: fc.nat({ max: 2 }),
  sent: fc.array(sent, { minLength: 2, maxLength: 14 }),
});

describe('keys and posts of one agent, sent at once', () => {
  const reads = { reads_per_network_minute: 1_000_000 };
  const limits = { ...LIFTED, ...LIFTED_KEYS, ...reads };
  const test = givenBoard({ limits });

  it('have one order, in which no superseded key says anything', async () => {
    const seed = chosenSeed();
    await fc.assert(fc.asyncProperty(runs, race), {
      numRuns: RUNS,
      seed,
      includeErrorInReport: true,
    });
    await recordFaults({ test: 'B14', seed, faults: RUNS });
  });

  async function race(run: {
    before: number;
    sent: readonly Sent[];
  }): Promise<void> {
    const agent = await register(test);
    for (let nth = 0; nth < run.before; nth += 1) await rotated(agent);
    const seq = agent.events.length - 1;
    const previews = await Promise.all(
      [0, 1, 2].map((nth) =>
        preview(test, { agent_id: agent.id, title: `Raced ${nth}` }),
      ),
    );
    const rotate = nextEvent(agent, 'rotate');
    const revoke = nextEvent(agent, 'revoke');
    const keys = { old: pairOf(agent, seq), new: pairOf(agent, seq + 1) };
    const notes = new Set<string>();
    const send = async (it: Sent): Promise<Response> => {
      if (it.kind === 'old' || it.kind === 'new') {
        const previewed = previews[it.post] as Response;
        const body = signed(previewed, keys[it.kind]);
        return await submit(test, body);
      }
      if (it.kind === 'known') return await sendKey(test, agent.notes[0]);
      const event = it.kind === 'rotate' ? rotate : revoke;
      const late = 'late' in it ? it.late : 0;
      const note = signEvent(agent, { ...event, at: event.at + late });
      notes.add(note);
      return await sendKey(test, note);
    };
    const answers = await Promise.all(run.sent.map(send));
    for (const { status, text } of answers) {
      expect(status, text).to.be.oneOf([200, 201, 400, 403, 409]);
    }
    const events = answers.filter((_, nth) =>
      /rotate|revoke/.test(run.sent[nth]?.kind ?? ''),
    );
    const won = events.filter(({ status }) => status === 201);
    expect(won.length).to.equal(Math.min(1, notes.size));
    await expectOrder(agent, seq, notes.size);
    await expectEnded(agent, seq, notes.size, won[0]);
  }

  async function rotated(agent: Agent): Promise<void> {
    const event = nextEvent(agent, 'rotate');
    const note = signEvent(agent, event);
    agent.events.push(event);
    agent.notes.push(note);
    expect((await sendKey(test, note)).status).to.equal(201);
  }

  /** Each post in the log is by the key that was the last one before it. */
  async function expectOrder(
    agent: Agent,
    before: number,
    notes: number,
  ): Promise<void> {
    const entries = await rows(test).find(LogEntry, {
      where: { originId: 0, agentId: agent.id },
      order: { idx: 1 },
    });
    const events = entries.filter(({ type }) => type === 'key');
    // One wins; of the others the first is on record as a conflict.
    expect(events.length).to.equal(before + 1 + Math.min(2, notes));
    const posts = new Set<string>();
    let known = -1;
    for (const { type, leaf } of entries) {
      const text = leaf.toString('utf8');
      if (type === 'key') {
        known += 1;
        continue;
      }
      const note = parseNote(text.slice(text.indexOf('\n\n') + 2));
      expect(note.ok).to.equal(true);
      if (!note.ok) continue;
      const statement = note.value.text;
      const requestId = /^request (.*)$/m.exec(statement)?.[1] ?? '';
      posts.add(requestId);
      const where = { agentId: agent.id, requestId };
      const row = await rows(test).findOneByOrFail(Message, where);
      expect(row.keySeq).to.equal(known);
      // After a conflict, and after a revocation, there is no post at all.
      expect(known).to.be.at.most(before + 1);
    }
    const published = entries.filter(({ type }) => type === 'post');
    expect(posts.size, 'one message of a request').to.equal(published.length);
  }

  /** What was superseded or ended stays so for whoever comes later. */
  async function expectEnded(
    agent: Agent,
    seq: number,
    notes: number,
    won: Response | undefined,
  ): Promise<void> {
    const shown = await test.as().get(`/api/keys/${agent.id}`);
    const due =
      notes > 1 ? 'conflicted' : notes === 0 ? 'active' : won?.body.status;
    expect(shown.body.status).to.equal(due);
    expect(shown.body.key_seq).to.equal(seq + Math.min(1, notes));
    if (notes === 0) return;
    const late = await preview(test, { agent_id: agent.id, title: 'Late' });
    if (due !== 'active') {
      expect(late.status, late.text).to.equal(403);
      return;
    }
    const body = signed(late, pairOf(agent, seq));
    const answer = await submit(test, body);
    expect(answer.body.error, answer.text).to.equal('key_superseded');
  }
});
