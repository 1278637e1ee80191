import { DAY_MS, utcDay, utcDayStart } from '../../../server/clock.js';
import { makeDailySelection } from '../../../server/selections/daily-selection.js';
import { decideTo } from '../../support/decide.js';
import { givenBoard } from '../../support/hooks.js';
import { publish } from '../../support/post.js';
import { network, rate } from '../votes/rating.js';

describe('Daily selections', () => {
  const test = givenBoard({ lifted: true, env: { ROLES: 'api' } });
  let voters = 0;
  // Nobody has liked anything the day before.
  beforeEach(() => test.clock.advance(2 * DAY_MS));

  const topic = async (title: string, body = 'A body.') =>
    (await publish(test, { title, body, name: 'Ada' })).message.id;
  const make = () => makeDailySelection(test.board.context);
  const list = async () => (await test.as().get('/api/selections')).body;
  const newest = async () => (await list()).data[0];

  async function like(id: number, times = 1) {
    for (let n = 0; n < times; n += 1) {
      voters += 1;
      await rate(test, id, 1, network(voters));
    }
  }

  type Card = { message_id: number; state: string };
  const messages = ({ cards }: { cards: Card[] }) =>
    cards.map(({ message_id: id }) => id);

  it('are none on a new board, and none of a day without likes', async () => {
    expect(await make()).to.deep.equal({ cards: 0 });
    const body = await list();
    expect(body).to.deep.include({
      data: [],
      count: 0,
      cursor: 0,
      has_more: false,
      next: null,
    });
    expect(body.content_trust).to.equal('untrusted_public_data');
    const { body: missing } = await test.get('/api/selections/1').expect(404);
    expect(missing.error).to.equal('selection_not_found');
    await test.as().get('/api/selections/x').expect(404);
  });

  it('are of the previous UTC day, in the order of /api/top, up to five', async () => {
    const all: number[] = [];
    for (let n = 1; n <= 7; n += 1) all.push(await topic(`Number ${n}`));
    const [a = 0, b = 0, ...rest] = all;
    await like(b, 3);
    await like(a, 2);
    for (const id of rest) await like(id);
    const { body: top } = await test.as().get('/api/top');
    const best = top.data.map(({ id }: { id: number }) => id);
    expect(await make(), 'today is not over').to.deep.equal({ cards: 0 });
    const date = utcDay(test.clock.now());
    test.clock.set(utcDayStart(test.clock.now()) + DAY_MS + 5000);
    await like(rest[0] ?? 0, 5);
    expect(await make()).to.deep.equal({ cards: 5 });
    const made = await newest();
    expect(made).to.include({ id: 1, date });
    expect(made.title).to.be.a('string');
    expect(messages(made).slice(0, 4)).to.deep.equal(best);
    expect(messages(made)).to.deep.equal([b, a, all[6], all[5], all[4]]);
  });

  it('have cards that show their originals', async () => {
    const root = await topic('The title', `${'€'.repeat(200)}`);
    const reply = await publish(test, {
      reply_to: root,
      name: 'Grace',
      body: 'Short.',
    });
    const { id } = reply.message;
    await like(root, 2);
    await like(id);
    const created_at = new Date(test.clock.now()).toISOString();
    test.clock.advance(DAY_MS);
    await make();
    const made = await newest();
    const path = `/api/selections/${made.id}`;
    const { body } = await test.as().get(path).expect(200);
    expect(body.cards).to.deep.equal([
      {
        card_id: `${made.id}-1`,
        message_id: root,
        title: 'The title',
        excerpt: '€'.repeat(160),
        author: 'Ada',
        created_at: created_at.replace('.000', ''),
        url: `http://board.test/t/${root}`,
        read_url: `http://board.test/api/messages/${root}`,
        state: 'available',
      },
      {
        card_id: `${made.id}-2`,
        message_id: id,
        title: 'The title',
        excerpt: 'Short.',
        author: 'Grace',
        created_at: created_at.replace('.000', ''),
        url: `http://board.test/t/${root}?message=${id}#m${id}`,
        read_url: `http://board.test/api/messages/${id}`,
        state: 'available',
      },
    ]);
    expect(body.community).to.have.property('rules_url');
    expect(made.cards).to.deep.equal(body.cards);
  });

  it('are made once, by however many at once', async () => {
    const { count } = await list();
    await like(await topic('One'), 2);
    test.clock.advance(DAY_MS);
    const made = await Promise.all([make(), make(), make(), make()]);
    const cards = made.map(({ cards }) => cards).sort();
    expect(cards).to.deep.equal([0, 0, 0, 1]);
    await like(await topic('Two'));
    expect(await make()).to.deep.equal({ cards: 0 });
    expect((await list()).count).to.equal(count + 1);
  });

  it('stay as they are, whatever is rated later', async () => {
    const one = await topic('One');
    const two = await topic('Two');
    await like(one, 2);
    test.clock.advance(DAY_MS);
    await make();
    await like(two, 9);
    expect(messages(await newest())).to.deep.equal([one]);
  });

  it('show a tombstone for what was removed, and for what is excluded', async () => {
    const removed = await topic('Removed', 'The lynx.');
    const hidden = await topic('Hidden', 'The lynx.');
    const root = await topic('Of a removed topic');
    const child = (await publish(test, { reply_to: root, body: 'The lynx.' }))
      .message.id;
    for (const id of [removed, hidden, child]) await like(id);
    test.clock.advance(DAY_MS);
    await make();
    await decideTo.remove(test, removed);
    await decideTo.hide(test, hidden);
    await decideTo.remove(test, root);
    const { id } = await newest();
    const { body, text } = await test.as().get(`/api/selections/${id}`);
    expect(text).not.to.include('lynx');
    const shown = body.cards.map((card: Record<string, unknown>) => [
      card.message_id,
      card.state,
      card.moderation_url,
    ]);
    const at = (id: number) => `http://board.test/api/moderation/${id}`;
    expect(shown).to.deep.equal([
      [child, 'excluded', at(root)],
      [hidden, 'excluded', at(hidden)],
      [removed, 'removed', at(removed)],
    ]);
    for (const card of body.cards) {
      expect(card).to.include({ title: null, excerpt: null, author: null });
    }
    await decideTo.reinstate(test, removed);
    await decideTo.restore(test, hidden);
    await decideTo.reinstate(test, root);
    const { cards } = await newest();
    const states = cards.map(({ state }: Card) => state);
    expect(states).to.deep.equal(['available', 'available', 'available']);
  });

  it('page from the newest on', async () => {
    const id = await topic('Again and again');
    const days: string[] = [];
    for (let day = 0; day < 3; day += 1) {
      await like(id);
      days.unshift(utcDay(test.clock.now()));
      test.clock.advance(DAY_MS);
      await make();
    }
    const dates = (body: { data: { date: string }[] }) =>
      body.data.map(({ date }) => date);
    const all = await list();
    expect(dates(all).slice(0, 3)).to.deep.equal(days);
    const cursor = all.data[0].id;
    const first = (await test.as().get('/api/selections?limit=2')).body;
    expect(dates(first)).to.deep.equal(days.slice(0, 2));
    expect(first).to.include({ cursor, has_more: true, count: 2 });
    const seen = dates(first);
    for (let { next } = first; next !== null; ) {
      const path = next.replace('http://board.test', '');
      const { body } = await test.as().get(path).expect(200);
      seen.push(...dates(body));
      next = body.next;
    }
    expect(seen).to.deep.equal(dates(all));
  });
});
