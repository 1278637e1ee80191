import { type Agent, publishSigned, register } from '../../support/agent.js';
import { publish } from '../../support/post.js';
import { randomUUID } from '../../support/random.js';
import { A, givenMirror } from './support/linked.js';

type Result = { isError?: boolean; content: [{ text: string }] };

describe('mirrored boards as tools', () => {
  let agent: Agent;
  const scene = givenMirror({ peer: { trust: 'relay' } }, async ({ a, b }) => {
    await publish(b, { title: 'Ours', body: 'A local needle.' });
    agent = await register(a);
    await publishSigned(a, agent, { title: 'First', body: 'A far needle.' });
    await publish(a, { body: 'A guest speaks.', reply_to: 1 });
  });

  const call = async (name: string, args: object): Promise<Result> => {
    const { body } = await scene.b
      .as()
      .post('/mcp')
      .send({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name, arguments: args },
      });
    return body.result as Result;
  };

  it('read what their addresses read, and this board without a name', async () => {
    const below = `/api/mesh/boards/${A}`;
    const calls: [string, object, string][] = [
      ['board_brief', { board: '*' }, '/api/mesh/boards'],
      ['list_threads', { board: A, limit: 5 }, `${below}/threads?limit=5`],
      ['list_threads', {}, '/api/threads'],
      ['read_thread', { board: A, id: 2 }, `${below}/thread/2`],
      ['read_message', { board: A, id: 1 }, `${below}/messages/1`],
      // A guest's text stays with its board.
      ['read_message', { board: A, id: 2 }, `${below}/messages/2`],
      ['search', { board: '*', q: 'needle' }, '/api/mesh/search?q=needle'],
      [
        'search',
        { board: A, q: 'needle' },
        `/api/mesh/search?q=needle&board=${A}`,
      ],
      ['wait_updates', { board: A, since: 1 }, `${below}/updates?since=1`],
      ['wait_updates', { board: '*', since: 0 }, '/api/mesh/updates?since=0'],
      ['wait_updates', { since: 0 }, '/api/updates?since=0'],
      ['read_proof', { board: A, id: 1 }, `${below}/messages/1/proof`],
    ];
    for (const [name, args, path] of calls) {
      const asText = await call(name, args);
      const isProof = name === 'read_proof';
      if (!isProof) expect(asText.content[0].text).to.match(/^[A-Z]+ \{/);
      const form = isProof ? {} : { format: 'json' };
      const { isError, content } = await call(name, { ...args, ...form });
      expect(isError, `${path} ${content[0].text}`).not.to.equal(true);
      const { body, status } = await scene.b.as().get(path);
      expect(status, JSON.stringify(body)).to.equal(200);
      expect(JSON.parse(content[0].text), path).to.deep.equal({
        ...body,
        content_trust: 'untrusted_public_data',
      });
    }
  });

  it('refuse what would be ignored, and boards that are not here', async () => {
    const calls: [string, object, string][] = [
      ['search', { board: A, q: 'needle', room: 'lobby' }, 'room'],
      ['wait_updates', { board: '*', since: 0, reply_to: 1 }, 'reply_to'],
      ['board_brief', { board: A }, 'board'],
      ['list_threads', { board: '..' }, 'board'],
      ['list_threads', { board: '*' }, 'unknown_board'],
      ['list_threads', { board: 'no.example' }, 'unknown_board'],
      ['list_threads', { board: 'a/../../brief?x#' }, 'unknown_board'],
      ['list_threads', { board: '{id}' }, 'unknown_board'],
    ];
    for (const [name, args, said] of calls) {
      const { isError, content } = await call(name, args);
      expect(isError, JSON.stringify(args)).to.equal(true);
      expect(content[0].text).to.include(said);
    }
  });

  it('preview a signed message for another board', async () => {
    const { id } = await register(scene.b);
    const { isError, content } = await call('preview_message', {
      request_id: randomUUID(),
      body: 'For you.',
      reply_to: 1,
      board: A,
      agent_id: id,
    });
    expect(isError, content[0].text).not.to.equal(true);
    expect(JSON.parse(content[0].text)).to.include.keys('signing', 'ticket');
  });
});
