import { MoreThan } from 'typeorm';
import { Decision } from '../../server/db/entities/decision.js';
import { OperatorAudit } from '../../server/db/entities/operator-session.js';
import { FULL } from '../support/full.js';
import { publish } from '../support/post.js';
import { randomUUID } from '../support/random.js';
import { rows } from '../support/rows.js';
import {
  done,
  givenOperators,
  operator,
  RULING,
  reported,
  STAYS,
  stateOf,
} from './operators.js';

const ROUNDS = FULL ? 50 : 10;
const NO_REPORT = 'report_not_found';
/** Of refusals; all others are 400. */
const STATUSES: Record<string, number> = { too_long: 422, [NO_REPORT]: 404 };

describe('Decisions of operators', () => {
  const { test, admin, moderator, viewer } = givenOperators();

  const posted = async () =>
    (await publish(test, { reply_to: 1, body: 'A reply.' })).message.id;

  it('shows a decision before it is recorded, and then records exactly that', async () => {
    const id = await posted();
    const input = { action: 'remove', id, ...RULING } as const;
    const shown = await done(moderator.ask('decision.preview', input));
    expect(shown).to.include({ state: 'removed', message_id: id });
    expect(await stateOf(test, id)).to.equal('visible');
    const made = await done(moderator.ask('decision.record', input));
    const { state, log_entry, ...rest } = shown;
    expect(made).to.deep.equal({ ...rest, open_reports: [] });
    const { body } = await test.as().get(`/api/moderation/${id}`);
    const [logged] = body.decisions;
    expect(made.decision).to.deep.equal({ ...logged, stays_hidden: false });
    expect(body.decisions[0].operator).to.equal('Mo');
    expect(log_entry).to.match(/^reserve-board\/entry\/v1\ntype remove\n/);
    expect(state).to.equal(body.state);
  });

  it('leaves erasing to admins', async () => {
    const id = await posted();
    const why = { reason: 'legal', explanation: 'A court order.' } as const;
    const erase = { action: 'erase', id, ...why } as const;
    for (const name of ['decision.record', 'decision.preview'] as const) {
      expect((await moderator.ask(name, erase)).status).to.equal(403);
    }
    expect(await stateOf(test, id)).to.equal('visible');
    await done(admin.ask('decision.record', erase));
    expect(await stateOf(test, id)).to.equal('erased');
  });

  it('refuses ill-formed input with its field', async () => {
    const before = await rows(test).count(Decision);
    const keep = { ...STAYS, action: 'keep', id: 1 } as const;
    const why = { action: 'keep', id: 1, explanation: 'x' } as const;
    const blank = ' \u200b';
    const cases: [object, string, string?][] = [
      [{ ...RULING, action: 'remove' }, 'id'],
      [{ ...RULING, action: 'burn', id: 1 }, 'action'],
      [{ ...keep, x: 1 }, 'x', 'unknown_field'],
      [{ ...keep, explanation: blank }, 'explanation'],
      [{ ...keep, explanation: 'é'.repeat(2001) }, 'explanation', 'too_long'],
      [{ ...keep, explanation: 'For {{why}}.' }, 'explanation'],
      [{ ...keep, action: 'remove', reason: 'disagreement' }, 'reason'],
      [{ ...RULING, action: 'erase', id: 1 }, 'reason'],
      [why, 'reason'],
      [{ ...keep, outcome: 'accepted' }, 'outcome'],
      [{ action: 'poll_decision', id: 1, explanation: 'x' }, 'outcome'],
      [{ ...keep, supersedes: 7_000_000 }, 'supersedes'],
      [{ ...keep, report_ids: [randomUUID()] }, 'report_ids', NO_REPORT],
      [{ ...RULING, action: 'hide', id: 2 }, 'message_id'],
    ];
    for (const [input, field, error = 'invalid_input'] of cases) {
      const answer = await admin.ask('decision.record', input as never);
      const told = JSON.stringify(input).slice(0, 200);
      expect(answer.status, told).to.equal(STATUSES[error] ?? 400);
      expect(answer.body, told).to.include({ error, field });
    }
    const unknown = { ...RULING, action: 'remove', id: 999_999 } as const;
    const answer = await admin.ask('decision.record', unknown);
    expect(answer.body.error).to.equal('message_not_found');
    expect(await rows(test).count(Decision)).to.equal(before);
  });

  it('lets one of two operators decide, each time', async () => {
    const other = await operator(test, 'moderator', 'Oma');
    for (let round = 0; round < ROUNDS; round += 1) {
      const { message } = await publish(test, { title: `Round ${round}` });
      const about = { id: message.id, seen: null };
      const remove = { action: 'remove', ...about, ...RULING } as const;
      const keep = { action: 'keep', ...about, ...STAYS } as const;
      const [first, second] = await Promise.all([
        moderator.ask('decision.record', remove),
        other.ask('decision.record', round % 2 === 0 ? keep : remove),
      ]);
      const [won, lost] =
        first.status === 200 ? [first, second] : [second, first];
      expect([won.status, lost.status]).to.deep.equal([200, 409]);
      expect(lost.body.error).to.equal('decision_conflict');
      expect(lost.body.current).to.deep.equal(won.body.decision);
      const { body } = await test.as().get(`/api/moderation/${message.id}`);
      expect(body.decisions).to.have.length(1);
      expect(won.body.decision).to.deep.include(body.decisions[0]);
    }
  });

  it('undoes by a further decision, once', async () => {
    const id = await posted();
    const remove = { action: 'remove', id, ...RULING } as const;
    const first = await done<{ decision: { id: number } }>(
      moderator.ask('decision.record', remove),
    );
    const undo = {
      action: 'reinstate',
      id,
      reason: 'decided_by_mistake',
      explanation: 'That was a mistake.',
      supersedes: first.decision.id,
      seen: first.decision.id,
    } as const;
    await done(moderator.ask('decision.record', undo));
    expect(await stateOf(test, id)).to.equal('visible');
    const again = { ...undo, seen: undefined, action: 'keep' } as const;
    const { seen, ...without } = again;
    const answer = await moderator.ask('decision.record', without);
    expect(answer.status, String(seen)).to.equal(409);
    expect(answer.body.current.action).to.equal('reinstate');
  });

  it('writes one row into the trail for each change, and none for a refusal', async () => {
    const id = await posted();
    const subject = `message:${id}`;
    await reported(test, id);
    const since = await rows(test).count(OperatorAudit);
    await done(moderator.ask('subject.claim', { subject }));
    const input = { action: 'keep', id, ...STAYS } as const;
    await done(moderator.ask('decision.preview', input));
    await done(moderator.ask('decision.record', input));
    await moderator.ask('decision.record', input).expect(409);
    const view = { name: 'mine', query: 'claimed=me' };
    await done(viewer.ask('view.save', view));
    const found = await rows(test).findBy(OperatorAudit, {
      id: MoreThan(since),
    });
    expect(
      found.map((row) => [row.action, row.subject, row.sessionId]),
    ).to.deep.equal([
      ['subject.claim', subject, moderator.sessionId],
      ['decision.keep', subject, moderator.sessionId],
      ['view.save', 'view:mine', viewer.sessionId],
    ]);
    expect(await done(viewer.ask('view.list', {}))).to.deep.equal({
      data: [view],
    });
    expect(await done(admin.ask('view.list', {}))).to.deep.equal({ data: [] });
  });
});
