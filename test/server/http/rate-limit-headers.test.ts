import { givenBoard } from '../../support/hooks.js';
import { withLimits } from '../../support/limits.js';
import { filled, preview, publish } from '../../support/post.js';
import { randomUUID } from '../../support/random.js';
import { methodsOf } from './openapi/declared.js';

type Item = { name: string; [parameter: string]: string | number };
type Answer = { status: number; headers: Record<string, string> };

const ITEM = /^"([a-z0-9_]+)"((?:;[a-z]=\d+)*)$/;
const HOUR_MS = 3_600_000;

/** A list of strings with integer parameters, as RFC 9651 writes it. */
function parse(header: string | undefined): Item[] {
  if (header === undefined) return [];
  return header.split(', ').map((text) => {
    const [whole, name = '', parameters = ''] = ITEM.exec(text) ?? [];
    if (whole === undefined) throw new Error(`not an item: ${text}`);
    const pairs = parameters.split(';').slice(1);
    return {
      name,
      ...Object.fromEntries(
        pairs.map((pair) => {
          const [key = '', value] = pair.split('=');
          return [key, Number(value)];
        }),
      ),
    };
  });
}

const told = ({ headers }: Answer) => parse(headers.ratelimit);
const policy = ({ headers }: Answer) => parse(headers['ratelimit-policy']);

describe('what answers tell of limits', () => {
  const test = givenBoard({
    limits: { searches_per_network_minute: 3, topics_per_source_hour: 4 },
  });

  it('is counted for the host of a proxy where it asks for itself', async () => {
    const straight = await fetch(`${test.url}/api/threads`);
    const also = await test.as('127.0.0.1').get('/api/threads');
    const left = [
      straight.headers.get('ratelimit') ?? '',
      also.headers.ratelimit,
    ].map((header) => parse(header).map(({ r }) => r));
    expect([straight.status, ...left]).to.deep.equal([200, [1199], [1198]]);
  });

  it('is what reads leave of a minute', async () => {
    const from = '198.51.100.1';
    for (const r of [1199, 1198, 1197]) {
      const answer = await test.as(from).get('/api/threads');
      expect(policy(answer)).to.deep.equal([
        { name: 'reads_per_network_minute', q: 1200, w: 60 },
      ]);
      expect(told(answer)).to.deep.equal([
        { name: 'reads_per_network_minute', r, t: 60 },
      ]);
    }
    test.clock.advance(20_000);
    const later = await test.as(from).get('/skill.md');
    expect(told(later)).to.deep.equal([
      { name: 'reads_per_network_minute', r: 1196, t: 40 },
    ]);
    const other = await test.as('198.51.100.2').get('/api/threads');
    expect(told(other)[0]).to.include({ r: 1199 });
  });

  it('names in a 429 that limit alone, never later than Retry-After', async () => {
    const from = '198.51.100.3';
    const search = () => test.as(from).get('/api/search?q=text');
    for (let n = 0; n < 3; n += 1) await search().expect(200);
    test.clock.advance(10_000);
    const answer = await search().expect(429);
    const [only, ...more] = told(answer);
    expect(more).to.deep.equal([]);
    expect(only).to.include({ name: 'searches_per_network_minute', r: 0 });
    expect(only?.t).to.equal(Number(answer.headers['retry-after']));
    expect(policy(answer)).to.have.length(1);
  });

  it('is what a preview and a publication leave', async () => {
    const from = '198.51.100.4';
    const previewed = await preview(test, {}, from);
    expect(policy(previewed)[0]).to.deep.equal({
      name: 'previews_per_network_hour',
      q: 90,
      w: 3600,
    });
    expect(told(previewed)[0]).to.deep.equal({
      name: 'previews_per_network_hour',
      r: 89,
      t: 3600,
    });
    test.clock.advance(1000);
    const publishing = () =>
      test.as(from).post('/write/publish').send(filled(previewed));
    const answer = await publishing().expect(201);
    const now = test.clock.now();
    const midnight = (86_400_000 - (now % 86_400_000)) / 1000;
    expect(told(answer)).to.deep.equal([
      { name: 'publish_attempts_per_network_minute', r: 59, t: 60 },
      { name: 'writes_per_network_minute', r: 5, t: 60 },
      { name: 'writes_per_network_hour', r: 59, t: 3600 },
      { name: 'topics_per_source_hour', r: 3, t: 3600 },
      { name: 'topics_per_source_day', r: 9, t: Math.ceil(midnight) },
    ]);
    expect(policy(answer)).to.deep.include({
      name: 'topics_per_source_day',
      q: 10,
      w: 86_400,
    });
    const again = await publishing().expect(200);
    const left = Object.fromEntries(
      told(again).map(({ name, r }) => [name, r]),
    );
    expect(left).to.include({
      publish_attempts_per_network_minute: 58,
      writes_per_network_minute: 5,
    });
  });

  it('agrees with what is refused next', async () => {
    const from = '198.51.100.5';
    let answer: Answer | null = null;
    let left = Number.POSITIVE_INFINITY;
    for (let n = 0; left > 0; n += 1) {
      expect(n).to.be.below(10);
      const previewed = await preview(test, { title: `Topic ${n}` }, from);
      answer = await test.post('/write/publish', filled(previewed), from);
      left = Math.min(...told(answer).map(({ r }) => Number(r)));
    }
    expect(answer?.status).to.equal(201);
    const previewed = await preview(test, { title: 'One more' }, from);
    const refused = await test.post('/write/publish', filled(previewed), from);
    expect(refused.status).to.equal(429);
    expect(told(refused)).to.have.length(1);
    expect(told(refused)[0]).to.include({ name: refused.body.scope, r: 0 });
    const again = Number(told(refused)[0]?.t);
    expect(again).to.be.at.most(Number(refused.headers['retry-after']));
    test.clock.advance(again * 1000);
    const accepted = await test.post(
      '/write/publish',
      filled(await preview(test, { title: 'One more' }, from)),
      from,
    );
    expect(accepted.status, accepted.text).to.equal(201);
    test.clock.advance(HOUR_MS);
  });

  it('tells what others of the board left in previews alone', async () => {
    const names = new Set<string>();
    for (const answer of [
      await test.as('198.51.100.6').get('/api/stats'),
      await test
        .as('198.51.100.6')
        .post('/api/reports')
        .send({
          request_id: randomUUID(),
          kind: 'report',
          message_id: (await publish(test, {}, '198.51.100.7')).message.id,
          reason: 'spam',
        }),
    ]) {
      expect(answer.status).to.be.below(300);
      for (const { name } of [...told(answer), ...policy(answer)]) {
        names.add(name);
      }
    }
    expect([...names].filter((name) => name.includes('board'))).to.be.empty;
    expect(names).to.include('reports_per_network_day');
  });

  it('leaves the count out where it would be dear', async () => {
    const name = 'previews_per_network_hour';
    await withLimits(test, { [name]: 1_000_000 }, async (from) => {
      const answer = await preview(test, {}, from);
      const named = (items: Item[]) => items.map((item) => item.name);
      expect(named(policy(answer))).to.include(name);
      expect(named(told(answer))).not.to.include(name);
    });
  });

  it('tells nothing of a body that is refused', async () => {
    const unknown = await test.as().post('/write/preview').send({ x: 1 });
    expect(unknown.status).to.equal(400);
    expect(unknown.headers).not.to.have.property('ratelimit');
  });

  it('is not spent by reading a write path', async () => {
    await withLimits(test, { reads_per_network_minute: 3 }, async (from) => {
      const readWritePaths = async () => {
        for (const [template, methods] of methodsOf(test)) {
          if (methods.includes('get')) continue;
          const path = template.replace(/\{\w+\}/g, '1');
          const answer = await test.as(from).get(path);
          expect(answer.status, path).to.equal(405);
          expect(answer.headers).not.to.have.property('ratelimit');
        }
      };
      for (let n = 0; n < 5; n += 1) await readWritePaths();
      const reads = [1, 2, 3, 4].map(async () => {
        return (await test.as(from).get('/api/rooms')).status;
      });
      const statuses = (await Promise.all(reads)).sort();
      expect(statuses).to.deep.equal([200, 200, 200, 429]);
      await readWritePaths();
    });
  });
});
