import { expect } from 'chai';
import type { TestBoard } from '../support/board.js';
import { forEachTest } from '../support/hooks.js';
import { publish } from '../support/post.js';
import { randomUUID } from '../support/random.js';
import {
  desksOfATopic,
  RULING,
  reported,
  STAYS,
  stateOf,
} from './actions-desk-set.js';
import { done, operator, type SignedInOperator } from './actions-operator.js';

describe('Decisions of operators', () => {
  let test: TestBoard;
  let admin: SignedInOperator;
  let moderator: SignedInOperator;
  let viewer: SignedInOperator;

  forEachTest(desksOfATopic, (made) => {
    ({ test, admin, moderator, viewer } = made);
  });

  it('shows a decision before it is recorded, and then records exactly that', async () => {
    const input = { action: 'remove', id: 2, ...RULING } as const;
    const shown = await done(moderator.ask('decision.preview', input));
    expect(shown).to.include({ state: 'removed', message_id: 2 });
    expect(await stateOf(test, 2)).to.equal('visible');
    const made = await done(moderator.ask('decision.record', input));
    const { state, log_entry, ...rest } = shown;
    expect(made).to.deep.equal(rest);
    const { body } = await test.as().get('/api/moderation/2');
    expect(body.decisions).to.deep.equal([made.decision]);
    expect(body.decisions[0].operator).to.equal('Mo');
    expect(log_entry).to.match(/^reserve-board\/entry\/v1\ntype remove\n/);
    expect(state).to.equal(body.state);
  });

  it('gives each role its rights and no more', async () => {
    const input = { action: 'keep', id: 1, ...STAYS } as const;
    for (const name of ['decision.record', 'decision.preview'] as const) {
      const refused = await viewer.ask(name, input);
      expect(refused.status).to.equal(403);
      expect(refused.body.error).to.equal('forbidden');
    }
    const erase = {
      action: 'erase',
      id: 2,
      reason: 'legal',
      explanation: 'A court order.',
    } as const;
    for (const name of ['decision.record', 'decision.preview'] as const) {
      expect((await moderator.ask(name, erase)).status).to.equal(403);
    }
    expect(await stateOf(test, 2)).to.equal('visible');
    await done(admin.ask('decision.record', erase));
    expect(await stateOf(test, 2)).to.equal('erased');
    const publishing = await moderator.ask('usefulness.publish', { id: 1 });
    expect(publishing.status).to.equal(403);
  });

  it('refuses ill-formed input with its field', async () => {
    const cases: [object, number, string, string][] = [
      [{ ...RULING, action: 'remove' }, 400, 'invalid_input', 'id'],
      [{ ...RULING, action: 'burn', id: 1 }, 400, 'invalid_input', 'action'],
      [{ ...STAYS, action: 'keep', id: 1, x: 1 }, 400, 'unknown_field', 'x'],
      [
        { ...STAYS, action: 'keep', id: 1, explanation: ' \u200b' },
        ...([400, 'invalid_input', 'explanation'] as const),
      ],
      [
        { ...STAYS, action: 'keep', id: 1, explanation: 'é'.repeat(2001) },
        ...([422, 'too_long', 'explanation'] as const),
      ],
      [
        { ...STAYS, action: 'keep', id: 1, explanation: 'For {{why}}.' },
        ...([400, 'invalid_input', 'explanation'] as const),
      ],
      [
        { ...RULING, action: 'remove', id: 1, reason: 'disagreement' },
        ...([400, 'invalid_input', 'reason'] as const),
      ],
      [
        { ...RULING, action: 'erase', id: 1 },
        ...([400, 'invalid_input', 'reason'] as const),
      ],
      [
        { action: 'keep', id: 1, explanation: 'x' },
        ...([400, 'invalid_input', 'reason'] as const),
      ],
      [
        { ...STAYS, action: 'keep', id: 1, outcome: 'accepted' },
        ...([400, 'invalid_input', 'outcome'] as const),
      ],
      [
        { action: 'poll_decision', id: 1, explanation: 'x' },
        ...([400, 'invalid_input', 'outcome'] as const),
      ],
      [
        { ...STAYS, action: 'keep', id: 1, supersedes: 7 },
        ...([400, 'invalid_input', 'supersedes'] as const),
      ],
      [
        { ...STAYS, action: 'keep', id: 1, report_ids: [randomUUID()] },
        ...([404, 'report_not_found', 'report_ids'] as const),
      ],
      [
        { ...RULING, action: 'hide', id: 2 },
        ...([400, 'invalid_input', 'message_id'] as const),
      ],
    ];
    for (const [input, status, error, field] of cases) {
      const answer = await admin.ask('decision.record', input as never);
      const told = JSON.stringify(input).slice(0, 200);
      expect(answer.status, told).to.equal(status);
      expect(answer.body, told).to.include({ error, field });
    }
    const unknown = { ...RULING, action: 'remove', id: 99 } as const;
    const answer = await admin.ask('decision.record', unknown);
    expect(answer.body.error).to.equal('message_not_found');
    const [row] = await test.board.context.reads.query(
      'SELECT count(*) AS decisions FROM decision',
    );
    expect(row).to.deep.equal({ decisions: 0 });
  });

  it('lets one of two operators decide, fifty times', async () => {
    const other = await operator(test, 'moderator', 'Oma');
    for (let round = 0; round < 50; round += 1) {
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
      expect(body.decisions).to.deep.equal([won.body.decision]);
    }
  });

  it('undoes by a further decision, once', async () => {
    const remove = { action: 'remove', id: 2, ...RULING } as const;
    const first = await done<{ decision: { id: number } }>(
      moderator.ask('decision.record', remove),
    );
    const undo = {
      action: 'reinstate',
      id: 2,
      reason: 'decided_by_mistake',
      explanation: 'That was a mistake.',
      supersedes: first.decision.id,
      seen: first.decision.id,
    } as const;
    await done(moderator.ask('decision.record', undo));
    expect(await stateOf(test, 2)).to.equal('visible');
    const again = { ...undo, seen: undefined, action: 'keep' } as const;
    const { seen, ...without } = again;
    const answer = await moderator.ask('decision.record', without);
    expect(answer.status, String(seen)).to.equal(409);
    expect(answer.body.current.action).to.equal('reinstate');
  });

  it('writes one row into the trail for each change, and none for a refusal', async () => {
    await reported(test, 2);
    await done(moderator.ask('subject.claim', { subject: 'message:2' }));
    const input = { action: 'keep', id: 2, ...STAYS } as const;
    await done(moderator.ask('decision.preview', input));
    await done(moderator.ask('decision.record', input));
    await moderator.ask('decision.record', input).expect(409);
    const view = { name: 'mine', query: 'claimed=me' };
    await done(viewer.ask('view.save', view));
    const rows = await test.board.context.reads.query<{
      action: string;
      subject: string;
      session_id: string;
    }>('SELECT action, subject, session_id FROM operator_audit ORDER BY id');
    expect(rows).to.deep.equal([
      {
        action: 'subject.claim',
        subject: 'message:2',
        session_id: moderator.sessionId,
      },
      {
        action: 'decision.keep',
        subject: 'message:2',
        session_id: moderator.sessionId,
      },
      {
        action: 'view.save',
        subject: 'view:mine',
        session_id: viewer.sessionId,
      },
    ]);
    expect(await done(viewer.ask('view.list', {}))).to.deep.equal({
      data: [view],
    });
    expect(await done(admin.ask('view.list', {}))).to.deep.equal({ data: [] });
  });
});
