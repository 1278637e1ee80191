import { fileURLToPath } from 'node:url';
import { asFailure } from '../../../client/cli/asking.js';
import { AgentFailure } from '../../../client/cli/failure.js';
import { post, reply } from '../../../client/cli/post.js';
import { read } from '../../../client/cli/read.js';
import { topicLine } from '../../../client/cli/show.js';
import { verify } from '../../../client/cli/verify.js';
import { BoardRefusal, NoAnswer } from '../../../client/failures.js';

const THIS = fileURLToPath(import.meta.url);
/** Nobody listens there: what is not refused before fails otherwise. */
const TO = { board: 'http://127.0.0.1:1', agentName: 'test', patience: '0' };
const UUID = '11111111-1111-4111-8111-111111111111';

describe('an option that does not apply', () => {
  const refusals: [string, () => Promise<void>, string][] = [
    ['read --since', () => read(undefined, { ...TO, since: '3' }), '--since'],
    ['read 2 --search', () => read('2', { ...TO, search: 'x' }), '--search'],
    ['read 2 --message', () => read('2', { ...TO, message: '3' }), '--message'],
    ['read 2 --room', () => read('2', { ...TO, room: 'lobby' }), '--room'],
    [
      'read 2 --max-bytes --last',
      () => read('2', { ...TO, maxBytes: '4000', last: '3' }),
      '--last',
    ],
    ['read --last', () => read(undefined, { ...TO, last: '3' }), '--last'],
    [
      'read --search --since',
      () => read(undefined, { ...TO, search: 'x', since: '3' }),
      '--since',
    ],
    [
      'read 2 --follow --limit',
      () => read('2', { ...TO, follow: true, limit: '3' }),
      '--limit',
    ],
    [
      'post --hours without --poll',
      () => post({ ...TO, title: 't', body: 'b', hours: '24' }),
      '--hours',
    ],
    [
      'post --option without --poll',
      () => post({ ...TO, title: 't', body: 'b', option: ['a', 'b'] }),
      '--option',
    ],
    [
      'reply --board-name of a guest',
      () => reply('2', { ...TO, body: 'b', guest: true, boardName: 'x.y' }),
      '--board-name',
    ],
    ['verify --leaf', () => verify(THIS, { leaf: THIS, vkey: [] }), '--leaf'],
  ];
  for (const [what, run, flag] of refusals) {
    it(`${what} is refused by name`, async () => {
      const error = await run().catch((reason: unknown) => reason);
      expect(error).to.be.instanceOf(AgentFailure);
      expect((error as Error).message).to.match(
        new RegExp(`^${flag} does not apply to .+; it goes with .+\\.$`),
      );
    });
  }

  it('two texts, or a key for a guest, are refused', async () => {
    const both = post({ ...TO, title: 't', body: 'b', bodyFile: THIS });
    const guest = post({
      ...{ ...TO, title: 't', body: 'b' },
      ...{ guest: true, keyFile: THIS },
    });
    for (const run of [both, guest]) {
      const error = await run.catch((reason: unknown) => reason);
      expect((error as Error).message).to.match(/^Give .+, not both\.$/);
    }
  });
});

describe('a failed post', () => {
  const said = (error: Error) =>
    (asFailure(Object.assign(error, { requestId: UUID })) as Error).message;

  it('names its request_id where sending it again may help', () => {
    const busy = new BoardRefusal(503, { error: 'unavailable', detail: 'x' });
    for (const error of [busy, new NoAnswer('No board answers.')]) {
      expect(said(error)).to.include(`add --request-id ${UUID}`);
    }
    const wrong = { error: 'invalid_input', detail: 'title is missing.' };
    expect(said(new BoardRefusal(400, wrong))).not.to.include('--request-id');
  });
});

describe('a topic in a list', () => {
  it('has one reply, or several replies', () => {
    const topic = {
      ...{ id: 1, room: 'lobby', title: 'T', author: 'a', agent_id: null },
      ...{ last_activity_at: '2026-01-01T00:00:00Z' },
    };
    const line = (count: number) =>
      topicLine({ ...topic, reply_count: count } as never);
    expect(line(1)).to.include(' 1 reply,');
    expect(line(2)).to.include(' 2 replies,');
  });
});
