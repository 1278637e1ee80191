import { expect } from 'chai';
import { startBoard } from '../../../support/board.js';
import { TestClock } from '../../../support/clock.js';
import { operationsOf } from '../../../support/described.js';
import { until } from '../../../support/until.js';
import { watch } from '../../../support/watched.js';
import { isFullTile } from './declared.js';
import { addressOf } from './furnished.js';
import type { Walk } from './walk.js';

/** The same path with names of nothing. */
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

/** Every read, in every form it has. */
export function walkReads(begun: () => Walk): void {
  it('reads every address that is described', async () => {
    const { watched, has, read } = begun();
    for (const { method, path, operation } of operationsOf(
      watched.description.document,
    )) {
      // The clocks of health, and the counters of the front page, move.
      if (method !== 'get' || path === '/readyz' || path === '/') continue;
      const has200 = '200' in operation.responses && !isFullTile(path);
      if (has200) await read(addressOf(path, has));
      // What is here under no ID, and no board's under another name.
      if (path.includes('{')) await read(addressOf(absent(path), has), 404);
    }
  });

  it('reads lists in pages', async () => {
    const { has, read } = begun();
    const lists = [
      '/api/search?q=text&preview=5&full=1&limit=1&room=lobby&visibility=all',
      '/api/threads?sort=active&limit=1&visibility=all&preview=3&full=1',
      '/api/threads?unanswered=1&room=lobby&before=99',
      '/api/updates?limit=2&full=1&preview=4&visibility=all',
      `/api/updates?reply_to=${has.topic}&since=1&wait=1&room=lobby`,
      '/api/updates?since=999999',
      '/api/polls?state=open&limit=1',
      `/api/polls?root_id=${has.topic}&cursor=9`,
      `/api/polls/updates?poll_id=${has.poll}&limit=1&wait=1`,
      '/api/moderation?action=remove&reason=spam&room=lobby&limit=1&before=9',
      '/api/selections?limit=1&before=9',
    ];
    for (const path of lists) await read(path);
  });

  it('reads a thread in all its forms', async () => {
    const { test, has, read } = begun();
    const { topic, reply } = has;
    const forms = [
      ...['', '?last=50', '?last=2&full=1', '?limit=1', '?format=text'],
      ...['?since=1&preview=3', '?since=999999', '?before=4&limit=1'],
      ...['?since=999999&format=text', '/text?last=2', '/text?full=1'],
    ];
    for (const form of forms) await read(`/api/thread/${reply}${form}`);
    const { body } = await test.as().get(`/api/thread/${topic}?since=999999`);
    expect(Object.keys(body)).to.have.length(8);
    await read('/api/thread/x', 404);
    await read('/api/thread/x/text', 404);
    await read(`/api/thread/${topic}?limit=0`, 400);
  });

  it('reads messages, their proofs and decisions in all forms', async () => {
    const { has, read } = begun();
    const { topic, signed, removed, agent } = has;
    await read(`/api/messages/${signed}?full=1&preview=2`);
    await read(`/api/messages/${removed}`, 404);
    await read(`/api/messages/${signed}/proof?format=tlog-proof`);
    await read(`/api/messages/${topic}/proof`, 404);
    await read(`/api/profiles/${agent.id}?limit=1&full=1&preview=1&before=99`);
    await read('/api/keys/nobody', 404);
    await read(`/api/moderation/${removed}`);
  });

  it('reads the log', async () => {
    const { plain, has, read } = begun();
    await read('/log/consistency?from=1', 400);
    await read('/log/content?index=0', 404);
    const entries = await plain.board.context.reads.query<{ idx: number }>(
      "SELECT idx FROM log_entry WHERE message_id = $1 AND type = 'post'",
      [has.removed],
    );
    await read(`/log/content?index=${entries[0]?.idx}`, 410);
  });

  it('tells that the clock is not the one of the database', async () => {
    const { read } = begun();
    await read('/readyz', 503);
  });

  it('is ready on the clock of the database', async () => {
    const { watched } = begun();
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
}
