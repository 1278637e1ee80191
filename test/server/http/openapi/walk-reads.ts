import { LogEntry } from '../../../../server/db/entities/log.js';
import { MirrorMessage } from '../../../../server/db/entities/mirror-message.js';
import { BASE_URL, startBoard } from '../../../support/board.js';
import { TestClock } from '../../../support/clock.js';
import {
  isForPeople,
  type Json,
  operationsOf,
  resolved,
} from '../../../support/described.js';
import { randomUUID } from '../../../support/random.js';
import { rows } from '../../../support/rows.js';
import { until } from '../../../support/until.js';
import { watch } from '../../../support/watched.js';
import { isAsset, isFullTile } from './declared.js';
import { addressOf } from './furnished.js';
import { checkRefusal, isHtml } from './header-rules.js';
import type { Expected, Walk } from './walk.js';

function absent(path: string): string {
  return path
    .replace(/\{(?:message_)?id\}/, '999')
    .replace('{uuid}', '00000000-0000-4000-8000-000000000000')
    .replace('{agent_id}', `a1${'a'.repeat(32)}`)
    .replace('{room}', 'nowhere')
    .replace('{N}', '999')
    .replace('{part}', 'nothing.json')
    .replace('{name}', 'no-board.example')
    .replace(/\{(?:hash|sha256)\}/, '0'.repeat(64));
}

const NO_IDS = ['0', '01', 'x', '-1', '1e3', '1%20', '99999999999999999'];
/** Parts of a path that name nothing, as no name is written like them. */
const NO_NAMES: Record<string, string[]> = {
  ...{ id: NO_IDS, message_id: NO_IDS },
  uuid: ['not-a-uuid', '7'],
  agent_id: ['a1', '%00', `A1${'A'.repeat(32)}`, `a1${'a'.repeat(33)}`],
};

/** Parameters that 0.2.0 ignored: an unusable value still is (§1.4). */
const NEW = new Set(
  ['author', 'agent_id', 'after', 'until', 'sort'].map(
    (name) => `/api/search ${name}`,
  ),
);

/** No reads of content (§1.4): logs, the mesh, documents, feeds, proofs, keys. */
const KEPT_SILENT =
  /^\/(?:log|mirror|healthz|connect|openapi|protocol|\.well-known|api\/(?:mesh|protocol|keys|reports))(?:\/|$)|\/proof$|\.\w+$/;

/** Texts that a parameter of this schema does not take. */
function wrongOf(schema: Json): (string | number)[] {
  if (schema.type !== 'integer') return 'enum' in schema ? ['', 'no-such'] : [];
  const { minimum, maximum } = schema as Record<string, number>;
  const beyond = [(minimum ?? 0) - 1, (maximum ?? 1e15) + 1];
  return ['', 'x', '01', '1.0', ...beyond];
}

/** Reads in all their forms; a colon is before the name of a furnished thing. */
const FORMS: [path: string, expected?: Expected][] = [
  ['/api/search?q=text&preview=5&full=1&limit=1&room=lobby&visibility=all'],
  ['/api/threads?sort=active&limit=1&visibility=all&preview=3&full=1'],
  ['/api/threads?unanswered=1&room=lobby&before=99'],
  ['/api/updates?limit=2&full=1&preview=4&visibility=all'],
  ['/api/updates?reply_to=:topic&since=1&wait=1&room=lobby'],
  ['/api/updates?since=999999'],
  ['/api/inbox?ids=:topic&limit=1&full=1&wait=1&visibility=all&preview=3'],
  ['/api/inbox?ids=:removed&decided_since=0&since=1'],
  ['/api/inbox', 'invalid_input'],
  ['/api/polls?state=open&limit=1'],
  ['/api/polls?root_id=:topic&cursor=9'],
  ['/api/polls/updates?poll_id=:poll&limit=1&wait=1'],
  ['/api/moderation?action=remove&reason=spam&room=lobby&limit=1&before=9'],
  ['/api/selections?limit=1&before=9'],
  ...[
    ...['', '?last=50', '?last=2&full=1', '?limit=1', '?format=text'],
    ...['?since=1&preview=3', '?since=999999', '?before=4&limit=1'],
    ...['?since=999999&format=text', '/text?last=2', '/text?full=1'],
  ].map((form): [string] => [`/api/thread/:reply${form}`]),
  ['/api/thread/x', 'thread_not_found'],
  ['/api/thread/x/text', 'thread_not_found'],
  ['/api/thread/:topic?limit=0', 'invalid_input'],
  ['/api/messages/:signed?full=1&preview=2'],
  ['/api/messages/:removed', 'message_not_found'],
  ['/api/messages/:signed/proof?format=tlog-proof'],
  ['/api/messages/:topic/proof', 'not_signed'],
  ['/api/keys/nobody', 'key_not_found'],
  ['/api/moderation/:removed'],
  ['/api/nothing', 'not_found'],
  // The log, and that of another board (spec/mesh.md §B4, §B7 to §B9).
  ['/log/consistency?from=1', 'invalid_input'],
  ['/log/content?index=0', 'not_found'],
  ['/log/feed?from=99999', 'cursor_ahead'],
  ['/api/mesh/search?q=text&board=no-board.example', 'unknown_board'],
  ['/mirror/:hash/feed?from=99', 'cursor_ahead'],
  ['/mirror/:hash/content?index=4', 'content_removed'],
  ['/mirror/:hash/content?index=1', 'not_found'],
  ['/mirror/:hash/content?index=3', 'withheld'],
  ['/api/mesh/boards/:name/thread/99', 'thread_not_found'],
  ['/api/mesh/boards/:name/thread/99/text', 'thread_not_found'],
  ['/api/mesh/boards/:name/messages/99', 'message_not_found'],
  ['/api/mesh/boards/:name/messages/99/proof', 'message_not_found'],
  ['/api/mesh/boards/:name/messages/:hidden', 'hidden_by_operator'],
  ['/api/mesh/boards/:name/messages/:hidden/proof', 'hidden_by_operator'],
  // Pages, which lead to where something is.
  ['/?format=text'],
  ['/t/:reply', 302],
  ['/report?board=no-board.example&message=1', 404],
  ['/mesh/:name/t/:hidden', 302],
  ['/my', 302],
  ['/selections', 302],
  // The clock of the tests is not the one of the database.
  ['/readyz', 503],
];

const JSON_ = 'application/json';
const PAGES: [path: string, accept: string, type: string][] = [
  ['/', '*/*', 'text/html'],
  ['/', JSON_, JSON_],
  ['/', 'text/markdown', 'text/markdown'],
  ['/t/:topic', 'text/markdown', 'text/markdown'],
  ['/t/999', 'text/html', 'text/html'],
  ['/skill.md', 'text/html', 'text/html'],
  ['/skill.md?format=text', '*/*', 'text/plain'],
  ['/api/thread/:topic?format=text', '*/*', 'text/plain; charset=utf-8'],
  ['/api/messages/:signed/proof?format=tlog-proof', '*/*', 'text/plain; '],
];

export function walkReads({ plain, watched, test, has, read }: Walk): void {
  const named = (path: string): string =>
    path.replace(/:(\w+)/g, (_, name) => {
      const found = name in has ? has : has.mirrored;
      return String(Reflect.get(found, name));
    });

  it('reads every address that is described', async () => {
    for (const { method, path, operation } of operationsOf(
      watched.description.document,
    )) {
      // The clocks of health, and the counters of the front page, move.
      if (method !== 'get' || path === '/readyz' || path === '/') continue;
      const address = addressOf(path, has);
      const [bare = ''] = address.split('?');
      const is200 = '200' in operation.responses && !isFullTile(path);
      const isData = is200 && !isHtml(await read(address)) && !isAsset(path);
      // What is here under no ID, and no board's under another name.
      if (path.includes('{')) await read(addressOf(absent(path), has), 404);
      for (const [name, values] of Object.entries(NO_NAMES)) {
        const place = `{${name}}`;
        if (!path.includes(place)) continue;
        const asked = [absent(place), ...values].map(async (value) => {
          const other = addressOf(path.replace(place, value), has);
          const { status, body } = await test.as().get(other);
          return `${status} ${body.error}`;
        });
        const [nothing, ...others] = await Promise.all(asked);
        expect(nothing, path).to.match(/^404 /);
        expect(others, path).to.deep.equal(values.map(() => nothing));
      }
      if (!isData) continue;
      const bad = `${bare}?limit=0&preview=-1&wait=99`;
      for (const wrong of [bad, bare.replace(/[^/]+$/, 'none')]) {
        const answer = await test.as().get(wrong);
        if (answer.status < 400 || isHtml(answer)) continue;
        // An address that is guessed is said in one line (spec/board.md §1.8).
        if (answer.status === 404 && answer.type === 'text/plain') continue;
        checkRefusal(answer, wrong, true);
      }
    }
  });

  it('refuses what is no value of a parameter, and names it', async () => {
    const { document } = watched.description;
    const taken: string[] = [];
    for (const { method, path, operation } of operationsOf(document)) {
      const isRead = method === 'get' && '200' in operation.responses;
      if (!isRead || isForPeople(operation)) continue;
      const [bare = '', asked = ''] = addressOf(path, has).split('?');
      for (const one of operation.parameters) {
        const { name, in: place, schema } = resolved(document, one);
        if (place !== 'query') continue;
        for (const value of [...wrongOf(schema), `1&${name}=1`]) {
          const pairs = asked.split('&').filter((it) => !it.startsWith(name));
          const query = [...pairs, `${name}=${value}`].join('&');
          const { status, body } = await test.as().get(`${bare}?${query}`);
          const isFormat = '$ref' in one && /\/Format$/.test(one.$ref);
          const isNamed =
            path.startsWith('/api/mesh') ||
            body.ignored_parameters?.includes(name);
          const isTold =
            isFormat || NEW.has(`${path} ${name}`)
              ? status === 200 && isNamed
              : status === 400 && body.field === name;
          if (isTold) continue;
          taken.push(`${bare}?${query}`);
        }
      }
    }
    expect(taken).to.deep.equal([]);
  });

  it('says in every form of a read which parameters it ignored', async () => {
    const { document } = watched.description;
    const silent: string[] = [];
    for (const { method, path, operation } of operationsOf(document)) {
      if (method !== 'get' || KEPT_SILENT.test(path)) continue;
      const names = operation.parameters.map(
        (one) => resolved(document, one).name,
      );
      const forms = names.includes('format') ? ['', '&format=text'] : [''];
      const address = addressOf(path, has);
      for (const form of forms) {
        const mark = address.includes('?') ? '&' : '?';
        const asked = `${address}${mark}user=1&limitt=1${form}`;
        const { status, body, text = '', type } = await test.as().get(asked);
        if (status !== 200 || type === 'text/html') continue;
        const isJson = type === 'application/json';
        const [, head = '{}'] = /^[A-Z]+ (\{.*\})$/m.exec(text) ?? [];
        const said = isJson ? body : JSON.parse(head);
        const { ignored_parameters: named = [], ignored_count: count } = said;
        if (named.join() === 'user' && count === 1) continue;
        silent.push(asked);
      }
    }
    expect(silent).to.deep.equal([]);
  });

  for (const [path, expected = 200] of FORMS) {
    it(`reads ${path}: ${expected}`, async () => {
      await read(named(path), expected);
    });
  }

  for (const [path, accept, type] of PAGES) {
    it(`reads ${path} as ${accept}`, async () => {
      const answer = await test.as().get(named(path)).set('Accept', accept);
      expect(answer.headers['content-type']).to.include(type);
    });
  }

  it('leads who reads JSON from a page to the same as JSON', async () => {
    for (const path of [
      ...['/agents/a1', '/search', '/moderation', '/mesh', '/top'],
      ...['/mesh/a.example', '/mesh/a.example/t/1', '/report/1'],
    ]) {
      const answer = await test.as().get(path).set('Accept', JSON_);
      expect(answer.status, path).to.equal(302);
    }
  });

  it('reads no budgets for the page of another site', async () => {
    const path = '/api/budgets';
    const foreign = { 'Sec-Fetch-Site': 'cross-site' };
    await test.as().get(path).set(foreign).expect(403);
    await read(`${path}?agent_id=${has.agent.id}`);
    await read(`${path}?agent_id=x`, 'invalid_input');
  });

  it('reads an agent, and nothing new of a thread', async () => {
    const id = has.agent.id;
    await read(`/api/profiles/${id}?limit=1&full=1&preview=1&before=99`);
    const { body } = await read(named('/api/thread/:topic?since=999999'));
    expect(Object.keys(body)).to.have.length(8);
  });

  it('reads what was removed of the log, and hidden of a mirror', async () => {
    const messageId = has.removed;
    const where = { messageId, type: 'post' };
    const { idx } = await rows(plain).findOneByOrFail(LogEntry, where);
    await read(`/log/content?index=${idx}`, 'content_removed');
    const { topic, name } = has.mirrored;
    const hide = (hiddenAt: number | null) =>
      rows(plain).update(MirrorMessage, { id: topic }, { hiddenAt });
    await hide(1);
    const thread = `/api/mesh/boards/${name}/thread/${topic}`;
    await read(thread, 'hidden_by_operator');
    await read(`${thread}/text`, 'hidden_by_operator');
    await hide(null);
  });

  it('is ready on the clock of the database', async () => {
    // One that goes on: two seconds too late is too late.
    const clock = Object.assign(new TestClock(), { now: () => Date.now() });
    const own = await startBoard({ clock });
    try {
      const other = await watch(own);
      // A first look that took a busy machine too long says so for a second.
      await until('it is ready', async () => {
        const { status } = await other.test.as().get('/readyz');
        return status === 200;
      });
      expect(other.problems).to.deep.equal([]);
      watched.met.add('GET /readyz 200');
    } finally {
      await own.stop();
    }
  });

  it('reports by the form of a page', async () => {
    const message_id = String(has.topic);
    const request_id = randomUUID();
    const good = { request_id, kind: 'report', message_id, reason: 'spam' };
    const other = { request_id: randomUUID(), message_id: '999' };
    for (const [status, changed] of [
      [201, {}],
      [200, {}],
      [409, { reason: 'other' }],
      [400, { reason: '' }],
      [404, other],
    ] as const) {
      const answer = await test
        .as()
        .post('/report')
        .set({ Origin: BASE_URL, Accept: 'text/html' })
        .type('form')
        .send({ ...good, ...changed });
      expect(answer.status, answer.text).to.equal(status);
    }
  });
}
