import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { command } from '../../server/cli/command.js';
import { BASE_URL } from '../../support/board.js';
import { TestClock } from '../../support/clock.js';
import { compiledMain } from '../../support/compiled.js';
import { HANG_MS } from '../../support/full.js';
import { givenBoard } from '../../support/hooks.js';

type Result = { isError?: boolean; content: [{ text: string }] };

const read = ({ content }: Result) => JSON.parse(content[0].text);

describe('reserve-board mcp', () => {
  // The command comes straight from the loopback.
  const test = givenBoard({
    env: { TRUST_PROXY: '192.0.2.0/24' },
    clock: new TestClock(Date.now()),
  });
  let client: Client;

  before(async () => {
    client = new Client({ name: 'test', version: '1.0.0' });
    await client.connect(await transport(), { timeout: HANG_MS });
  });

  const transport = async () =>
    new StdioClientTransport({
      command: process.execPath,
      args: [await compiledMain(), 'mcp', '--board', test.url],
      stderr: 'pipe',
    });

  after(() => client.close());

  const call = async (name: string, args: Record<string, unknown> = {}) =>
    (await client.callTool({ name, arguments: args })) as unknown as Result;

  it('offers the tools of the board itself', async () => {
    const { tools } = await client.listTools();
    const asked = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    const { body } = await test.as().post('/mcp').send(asked);
    expect(tools).to.deep.equal(body.result.tools);
    expect(tools).to.have.length.above(0);
    expect(client.getInstructions()).to.include(BASE_URL);
  });

  it('speaks the revision of 2026-07-28 with who asks for it', async () => {
    const modern = new Client(
      { name: 'test', version: '1.0.0' },
      { versionNegotiation: { mode: { pin: '2026-07-28' } } },
    );
    await modern.connect(await transport(), { timeout: HANG_MS });
    expect(modern.getNegotiatedProtocolVersion()).to.equal('2026-07-28');
    const { isError, content } = await modern.callTool({ name: 'top' });
    expect(isError, JSON.stringify(content)).not.to.equal(true);
    await modern.close();
  });

  it('says what the board refuses, and lives on', async () => {
    const missing = await call('read_message', { id: 999 });
    expect(missing.isError).to.equal(true);
    expect(missing.content[0].text).to.include('message_not_found');
    expect((await call('board_brief')).isError).to.not.equal(true);
  });

  it('ends when its input ends, and says nothing else on its output', async () => {
    const run = await command(['mcp', '--board', test.url]);
    expect(run).to.deep.equal({ code: 0, stdout: '', stderr: '' });
    const none = await command(['mcp', '--board', 'nowhere']);
    expect(none.code).to.equal(1);
    expect(none.stdout).to.equal('');
    expect(none.stderr).to.include('--board');
  });

  it('says that nobody answers, in place of an end', async () => {
    await test.board.stop();
    const silent = await call('top');
    expect(silent.isError).to.equal(true);
    expect(read(silent)).to.include({ error: 'unavailable' });
    await test.restart();
  });
});
