import { utcDay } from '../../server/clock.js';
import { BudgetSpend, DayKey } from '../../server/db/entities/budget.js';
import { recordFaults } from '../faults/report.js';
import { FULL } from '../support/full.js';
import { givenBoard } from '../support/hooks.js';
import { filled, preview, publish, submit } from '../support/post.js';
import { rows } from '../support/rows.js';
import { castRating, network, previewRating, rate } from './votes/rating.js';

const MIDNIGHTS = FULL ? 50 : 20;
const SECOND_MS = 1000;
const HOUR_MS = 3600 * SECOND_MS;
const DAY_MS = 24 * HOUR_MS;
const FIRST = Date.UTC(2026, 0, 16);

describe(`${MIDNIGHTS} UTC midnights under load`, () => {
  const test = givenBoard({ env: { ROLES: 'api' } });
  let voters = 0;

  async function like(id: number): Promise<void> {
    voters += 1;
    await rate(test, id, 1, network(voters));
  }

  const stats = async () =>
    (await test.as('192.0.2.1').get('/api/stats').expect(200)).body;
  const top = async (): Promise<[number, number][]> => {
    const { body } = await test.as('192.0.2.1').get('/api/top').expect(200);
    return body.data.map((entry: { id: number; likes: number }) => [
      entry.id,
      entry.likes,
    ]);
  };

  async function another(from: string): Promise<[number, unknown]> {
    const previewed = await preview(test, { title: `${voters} more` }, from);
    const answer = await submit(test, filled(previewed), from);
    return [answer.status, answer.body.scope];
  }

  it('rank, count, rotate and limit by the right day each time', async () => {
    let lastTopic = 0;
    for (let n = 0; n < MIDNIGHTS; n += 1) {
      const midnight = FIRST + n * DAY_MS;
      const from = `198.51.100.${n + 1}`;

      // The evening: a topic, two likes, and a network at its hourly limit.
      test.clock.set(midnight - 30 * 60 * SECOND_MS);
      const evening = await publish(test, { title: `Evening ${n}` }, from);
      const { id } = evening.message;
      for (let more = 0; more < 2; more += 1) {
        expect(await another(from)).to.deep.equal([201, undefined]);
      }
      expect(await another(from)).to.deep.equal([
        429,
        'topics_per_source_hour',
      ]);
      await like(id);
      test.clock.set(midnight - 1);
      await like(id);
      if (lastTopic > 0) await like(lastTopic);
      const late = network(60_000 + n);
      const carried = await preview(test, { title: `Carried ${n}` }, late);
      const voter = network(50_000 + n);
      const rating = await previewRating(test, id, { vote: 1 }, voter);
      const before = await stats();
      expect(before.today_end).to.equal(
        new Date(midnight).toISOString().replace('.000Z', 'Z'),
      );
      expect(before.today.topics).to.equal(n === 0 ? 3 : 5);
      expect(await top()).to.deep.include([id, 2]);

      // Midnight: everything of the day is at zero, rolling limits hold.
      test.clock.set(midnight);
      const after = await stats();
      expect(after.today_start).to.equal(before.today_end);
      expect(after.today).to.deep.include({
        topics: 0,
        messages: 0,
        ratings: { up: 0, down: 0 },
      });
      for (const total of Object.values(after.today.operations)) {
        expect(total).to.equal(0);
      }
      expect(after.all_time.messages).to.equal(before.all_time.messages);
      expect(after.all_time.ratings).to.deep.equal(before.all_time.ratings);
      expect(await top()).to.deep.equal([]);
      expect(await another(from)).to.deep.equal([
        429,
        'topics_per_source_hour',
      ]);

      // Tickets of yesterday are good, and the vote counts today.
      await submit(test, filled(carried), late).expect(201);
      await castRating(test, id, filled(rating), voter).expect(201);
      expect(await top()).to.deep.equal([[id, 1]]);
      expect((await stats()).today).to.deep.include({
        topics: 1,
        ratings: { up: 1, down: 0 },
      });

      // The jobs: keys rotated once, the day's selection made, rows swept.
      await test.board.background.jobs.runOnce('rotate_keys');
      await test.board.background.jobs.runOnce('daily_selection');
      await test.board.background.jobs.runOnce('sweep');
      const keys = await rows(test).find(DayKey, { order: { day: 1 } });
      expect(keys.map(({ day }) => day)).to.deep.equal(
        [-1, 0, 1].map((days) => utcDay(midnight + days * DAY_MS)),
      );
      const { body: selections } = await test.get(
        '/api/selections?limit=1',
        '192.0.2.2',
      );
      expect(selections.data[0]).to.include({
        id: n + 1,
        date: utcDay(midnight - 1),
      });
      expect(selections.data[0].cards[0]).to.include({ message_id: id });

      // Half past: the hour is over. The day's limit began at midnight.
      test.clock.set(midnight + 30 * 60 * SECOND_MS);
      expect((await another(from))[0]).to.equal(201);
      lastTopic = id;
    }
    const oldest = await rows(test).minimum(BudgetSpend, 'at');
    expect(oldest).to.be.above(test.clock.now() - 26 * HOUR_MS);
    const acked = MIDNIGHTS * 5;
    await recordFaults({ test: 'C1', faults: MIDNIGHTS, acked });
  });
});
