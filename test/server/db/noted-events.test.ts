import type { NotedEvents } from '../../../server/db/live-events.js';
import { clearAlert, raiseAlert } from '../../../server/operations/alerts.js';
import { recordRun } from '../../../server/operations/record-run.js';
import { recordPollEvent } from '../../../server/polls/poll-events.sql.js';
import { newDatabase } from '../../support/database.js';
import { decideTo, RULING } from '../../support/decide.js';
import { givenBoard, givenEach } from '../../support/hooks.js';
import { publish } from '../../support/post.js';
import { report, send } from '../moderation/reports/reporting.js';
import { openPoll } from '../polls/polling.js';
import { network, rate } from '../votes/rating.js';

const ALERT = {
  kind: 'clock_behind',
  subject: 'board',
  detail: 'Slow.',
} as const;

describe('what is noted for dashboards', () => {
  const { db } = givenEach(newDatabase(2));

  async function noted(): Promise<object[]> {
    const rows = await db.query<{ kind: string; payload: object }>(
      'DELETE FROM admin_pending RETURNING kind, payload',
    );
    return rows.map(({ kind, payload }) => ({ kind, ...payload }));
  }

  it('is an alert that opens, changes or ends, not one that lasts', async () => {
    const event = { kind: 'alert', name: ALERT.kind, subject: 'board' };
    await raiseAlert(db, ALERT, 10);
    expect(await noted()).to.deep.equal([
      { ...event, detail: 'Slow.', open: true },
    ]);
    await raiseAlert(db, ALERT, 11);
    expect(await noted()).to.deep.equal([]);
    await raiseAlert(db, { ...ALERT, detail: 'Slower.' }, 12);
    expect(await noted()).to.deep.equal([
      { ...event, detail: 'Slower.', open: true },
    ]);
    await clearAlert(db, ALERT, 13, 11);
    expect(await noted(), 'raised since').to.deep.equal([]);
    await clearAlert(db, ALERT, 13);
    await clearAlert(db, ALERT, 14);
    expect(await noted()).to.deep.equal([
      { ...event, detail: 'Slower.', open: false },
    ]);
    await raiseAlert(db, { ...ALERT, detail: 'Slower.' }, 15);
    expect(await noted()).to.have.length(1);
    const [row] = await db.query('SELECT * FROM alarm');
    expect(row).to.include({ raised_at: 15, last_at: 15, times: 4 });
  });

  it('is every event of a poll, with its number', async () => {
    const data = { from: 1, to: 2 };
    await db.transaction((tx) =>
      recordPollEvent(tx, 7, 'lifetime_extended', data, 5),
    );
    expect(await noted()).to.deep.equal([
      { kind: 'poll', poll_id: 7, event_id: 1, event: 'lifetime_extended' },
    ]);
  });

  it('is the run of a job, and nothing that is rolled back', async () => {
    const run = { name: 'watch', startedAt: 1, durationMs: 2, rows: 3 };
    const rest = { detail: {}, error: null, failures: 0, instance: 'one' };
    await recordRun(db, { ...run, ...rest });
    expect(await noted()).to.deep.equal([
      {
        ...{ kind: 'job', name: 'watch', started_at: 1, duration_ms: 2 },
        ...{ rows: 3, error: null },
      },
    ]);
    const failed = db.transaction(async (tx) => {
      await recordPollEvent(tx, 7, 'voided', { counts: [1, 1] }, 5);
      throw new Error('not today');
    });
    await failed.catch(() => {});
    expect(await noted()).to.deep.equal([]);
  });
});

type Kind = keyof NotedEvents;

// Alerts, jobs and other events of polls: noted-events.test.ts. Peers:
// test/mesh/peers/peer-events.test.ts.
describe("what a board's writes note for dashboards", () => {
  const test = givenBoard({ lifted: true });

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
