import { expect } from 'chai';
import type { NotedEvents } from '../../../server/db/note-event.js';
import type { TestBoard } from '../../support/board.js';
import { decideTo, RULING } from '../../support/decide.js';
import { boardForAllTests } from '../../support/hooks.js';
import { LIFTED } from '../../support/lifted.js';
import { publish } from '../../support/post.js';
import { report, send } from '../moderation/reports/reporting.js';
import { openPoll } from '../polls/polling.js';
import { network, rate } from '../votes/rating.js';

type Kind = keyof NotedEvents;

// Alerts, jobs and other events of polls: noted-events.test.ts. Peers:
// test/mesh/peers/peer-events.test.ts.
describe("what a board's writes note for dashboards", () => {
  let test: TestBoard;

  boardForAllTests({ limits: LIFTED }, (made) => {
    test = made;
  });

  /** Expects exactly these events of a kind, with a number or still without. */
  async function expectNoted<K extends Kind>(
    kind: K,
    ...events: NotedEvents[K][]
  ): Promise<void> {
    const rows = await test.board.context.writes.query<{ payload: object }>(
      `SELECT payload FROM admin_pending WHERE kind = $1
       UNION ALL SELECT payload FROM admin_event WHERE kind = $1`,
      [kind],
    );
    const payloads = rows.map(({ payload }) => payload);
    expect(payloads, kind).to.have.deep.members(events);
  }

  it('is each message, with its room and root', async () => {
    await publish(test, { title: 'One', room: 'findings' });
    await publish(test, { reply_to: 1 });
    await expectNoted(
      'message',
      { message_id: 1, root_id: 1, room: 'findings' },
      { message_id: 2, root_id: 1, room: 'findings' },
    );
  });

  it('is each vote that counts, and a topic that it hides', async () => {
    await rate(test, 2, 1, network(1));
    for (const n of [1, 2, 3]) await rate(test, 1, -1, network(n));
    await expectNoted(
      'rating',
      { message_id: 2, root_id: 1, score: 1 },
      { message_id: 1, root_id: 1, score: -1 },
      { message_id: 1, root_id: 1, score: -2 },
      { message_id: 1, root_id: 1, score: -3 },
    );
    const visibility = 'hidden_by_ratings';
    await expectNoted('hidden', { message_id: 1, visibility });
  });

  it('is a report, and a decision with what it does', async () => {
    const sent = report();
    await send(test, sent).expect(201);
    await expectNoted('report', {
      ...{ subject: 'message:1', claimed_by: null, status: 'received' },
      ...{ report_id: String(sent.request_id), report_kind: 'report' },
    });
    const { id } = await decideTo.restore(test, 1);
    const { reason, operator } = RULING;
    await expectNoted('decision', {
      ...{ decision_id: id, message_id: 1, poll_id: null, reason, operator },
      action: 'restore_visibility',
    });
    await expectNoted(
      'hidden',
      { message_id: 1, visibility: 'hidden_by_ratings' },
      { message_id: 1, visibility: 'restored_by_decision' },
    );
  });

  it('is a poll that opens', async () => {
    const { id } = await openPoll(test);
    await expectNoted('poll', { poll_id: id, event_id: 1, event: 'opened' });
  });
});
