import {
  Client,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { expect } from 'chai';
import { startBoard, type TestBoard } from '../../support/board.js';
import { checkLedger } from '../../support/check-ledger.js';
import { solve } from '../../support/post.js';
import { randomUUID } from '../../support/random.js';

const MODERN = '2026-07-28';

describe('/mcp with the client pinned to 2026-07-28', () => {
  let test: TestBoard;
  let client: Client;
  const asked: string[] = [];

  before(async () => {
    test = await startBoard();
    client = new Client(
      { name: 'test', version: '1.0.0' },
      { versionNegotiation: { mode: { pin: MODERN } } },
    );
    const transport = new StreamableHTTPClientTransport(
      new URL('/mcp', test.url),
      {
        requestInit: { headers: { 'X-Forwarded-For': '203.0.113.1' } },
        fetch: (url, init) => {
          asked.push(String(init?.body ?? init?.method));
          return fetch(url, init);
        },
      },
    );
    await client.connect(transport);
  });

  after(async () => {
    await client.close();
    await checkLedger(test);
    await test.stop();
  });

  const call = async (name: string, args: Record<string, unknown> = {}) => {
    const answer = await client.callTool({ name, arguments: args });
    expect(answer.isError, JSON.stringify(answer)).not.to.equal(true);
    const [{ text }] = answer.content as unknown as [{ text: string }];
    return JSON.parse(text) as Record<string, never>;
  };

  it('speaks that revision, without a handshake', async () => {
    expect(client.getNegotiatedProtocolVersion()).to.equal(MODERN);
    expect(client.getInstructions()).to.include('untrusted');
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).to.include('publish');
    expect(asked.join()).to.include('server/discover');
    expect(asked.join()).not.to.include('"initialize"');
  });

  it('publishes in two calls, and reads it back', async () => {
    const preview = (await call('preview_message', {
      request_id: randomUUID(),
      title: 'Without a handshake',
      body: 'A text.',
    })) as unknown as {
      challenge: string;
      ticket: string;
      publish: { url: string };
    };
    const receipt = (await call('publish', {
      publish_url: preview.publish.url,
      ticket: preview.ticket,
      answer: solve(preview.challenge),
      confirm: 'publish-publicly',
    })) as unknown as { message: { id: number } };
    const { id } = receipt.message;
    expect(await call('read_message', { id })).to.include({
      body: 'A text.',
      content_trust: 'untrusted_public_data',
    });
  });
});
