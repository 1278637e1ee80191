import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { command } from '../../server/cli/command.js';
import { newAgent, pairOf, record } from '../../support/agent.js';
import { pull } from '../boards/support/pull.js';
import { A, givenLinked } from './linked-boards.js';

describe('the command line at another node', () => {
  // The commands come straight from the loopback.
  const scene = givenLinked({ envB: { TRUST_PROXY: '192.0.2.0/24' } });

  it('posts by --via and by --for-board', async () => {
    const { a, b, clock } = scene;
    // The commands go by their own clock.
    clock.set(Date.now());
    const one = newAgent({ rotatable: false });
    await record(b, one.notes[0] ?? '');
    const folder = await mkdtemp(path.join(tmpdir(), 'relay-'));
    try {
      const seed = Buffer.from(pairOf(one, 0).secretKey.slice(0, 32));
      const env = { RESERVE_BOARD_KEY: `${one.id}:${seed.toString('hex')}` };
      const body = path.join(folder, 'body.txt');
      await writeFile(body, 'From a shell.');
      const post = ['post', '--title', 'Shell', '--body-file', body, '--json'];
      const named = await command(
        [...post, '--board', b.url, '--for-board', A],
        env,
      );
      expect(named.code, named.stderr).to.equal(0);
      const { message, url } = JSON.parse(named.stdout);
      expect(url).to.match(/^http:\/\/board-a\.example\//);
      await pull(b, a);
      const via = await command(
        [
          ...['reply', String(message.id), '--body-file', body, '--json'],
          ...['--board', `http://${A}`, '--via', b.url],
        ],
        env,
      );
      expect(via.code, via.stderr).to.equal(0);
      const replied = JSON.parse(via.stdout);
      expect(replied.message.root_id).to.equal(message.id);
      const guest = await command([
        ...post,
        '--board',
        b.url,
        '--for-board',
        A,
      ]);
      expect(guest.code).to.equal(1);
      const both = await command(
        [...post, '--board', b.url, '--for-board', A, '--via', b.url],
        env,
      );
      expect(both.code).to.equal(1);
      await scene.away();
      const pending = await command(
        [...post, '--board', b.url, '--for-board', A, '--patience', '1'],
        env,
      );
      expect(pending.code).to.equal(1);
      expect(pending.stderr + pending.stdout).to.include('--request-id');
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
