import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { checkPeer } from '../../mesh/check/check-peer.js';
import { PeerClient } from '../../mesh/pull/fetch/peer-client.js';
import { toBase64, toHex } from '../../protocol/bytes.js';
import { openCheckpoint } from '../../protocol/checkpoint.js';
import { formatEntry } from '../../protocol/entry.js';
import { openIdentity } from '../../protocol/identity.js';
import { ready } from '../../protocol/signing.js';
import { leafHash } from '../../protocol/tree.js';
import { LIMIT_DEFAULTS } from '../../server/limits.js';
import { nodeOnPort } from '../mesh/peers/node-on-port.js';
import type { TestBoard } from '../support/board.js';
import { TestClock } from '../support/clock.js';
import { freePort } from '../support/free-port.js';
import { until } from '../support/until.js';

const EXAMPLE = 'level-1-peer.mjs';
const NAME = 'peer.example';

describe('docs/join.md', () => {
  let page = '';
  let blocks: string[] = [];

  before(async () => {
    await ready();
    page = await readFile('docs/join.md', 'utf8');
    blocks = [...page.matchAll(/```\w*\n([\s\S]*?)```/g)].map(
      ([, text = '']) => text,
    );
  });

  const blockWith = (start: string) =>
    blocks.find((text) => text.startsWith(start)) ?? '';

  it('works the bytes of the two documents through', () => {
    const note = blockWith('reserve-board/identity/v1');
    const identity = openIdentity(note);
    if (!identity.ok) throw new Error(identity.reason);
    const { at, log, keys } = identity.value;
    expect(page).to.include(toHex(keys.log.publicKey));
    expect(blockWith(`${NAME}/log+`)).to.equal(`${log}\n`);
    const leaf = formatEntry({ type: 'board', at, embedded: note });
    const hash = toBase64(leafHash(leaf));
    expect(page).to.include(`${Buffer.byteLength(leaf)} bytes`);
    expect(page).to.include(`= \`${hash}\``);
    const head = openCheckpoint(blockWith(`${NAME}/log\n`), keys.log);
    if (!head.ok) throw new Error(head.reason);
    expect(head.value.size).to.equal(1);
    expect(toBase64(head.value.root)).to.equal(hash);
  });

  it('leads to a specification that is read in half an hour', async () => {
    const text = await readFile('docs/spec/mesh.md', 'utf8');
    expect(text.trimEnd().split('\n')).to.have.length.at.most(800);
  });

  it('names a file of at most 100 lines that needs no package', async () => {
    const text = await readFile(`docs/examples/${EXAMPLE}`, 'utf8');
    expect(text.trimEnd().split('\n')).to.have.length.at.most(100);
    for (const [, from] of text.matchAll(/from '([^']+)'/g)) {
      expect(from).to.match(/^node:/);
    }
  });

  describe('the example, run as the page says', () => {
    const client = new PeerClient({ allowHttp: true, allowPrivate: true });
    let folder: string;
    let url: string;
    let running: { child: ChildProcess; vkey: string };
    let board: TestBoard;

    async function start() {
      const commands = blockWith('export SEED=')
        .replace('https://peer.example', url)
        .replace('8090', new URL(url).port)
        .replace(/^export SEED=.*$/m, ''); // one seed for both starts
      const child = spawn('bash', ['--norc', '-c', commands], {
        cwd: folder,
        env: { PATH: process.env.PATH ?? '', SEED: '5e'.repeat(32) },
        stdio: ['pipe', 'pipe', 'inherit'],
      });
      const [line] = await once(
        createInterface({ input: child.stdout }),
        'line',
      );
      return { child, vkey: String(line).split(' ').at(-1) ?? '' };
    }

    const stop = async ({ child }: typeof running) => {
      const ended = once(child, 'exit');
      child.kill();
      await ended;
    };

    before(async () => {
      folder = await mkdtemp(path.join(os.tmpdir(), 'join-'));
      await copyFile(`docs/examples/${EXAMPLE}`, path.join(folder, EXAMPLE));
      url = `http://127.0.0.1:${await freePort()}`;
      running = await start();
      // The example writes by the clock of the machine.
      board = await nodeOnPort({ clock: new TestClock(Date.now()) });
    });

    after(async () => {
      await stop(running);
      await client.close();
      await board.stop();
      await rm(folder, { recursive: true });
    });

    const titles = async () => {
      const path = `/api/mesh/boards/${NAME}/threads`;
      const { body } = await board.as().get(path);
      return (body.data ?? []).map(({ title }: { title: string }) => title);
    };

    it('holds level 1 and no other', async () => {
      const report = await checkPeer(url, { client, limits: LIMIT_DEFAULTS });
      expect(report.findings.filter((it) => it.lacks)).to.eql([]);
      expect(report).to.include({ stated_level: 1, highest: 1, holds: true });
      const more = await checkPeer(url, {
        ...{ client, limits: LIMIT_DEFAULTS, level: 4 },
      });
      expect(more).to.include({ highest: 1, holds: false });
    });

    it('is mirrored by a node, across a restart, without a fault', async () => {
      const { vkey } = running;
      await board.board.peerAdmin.add(url, { confirm: vkey, trust: 'mirror' });
      running.child.stdin?.write('Hello, mesh.\nA second message.\n');
      await until('two topics', async () => (await titles()).length === 2);
      await stop(running);
      running = await start();
      expect(running.vkey).to.equal(vkey);
      running.child.stdin?.write('After a restart.\n');
      // What it was away for is over: the node asks again at once.
      const hint = { origin: `${NAME}/log`, size: 4 };
      await board.as().post('/api/mesh/hint').send(hint).expect(202);
      await until('a third one', async () => (await titles()).length === 3);
      const read = await board.as().get(`/api/mesh/boards/${NAME}/messages/1`);
      expect(read.body).to.include({
        ...{ body: 'Hello, mesh.', signature_status: 'signed' },
      });
      const { body } = await board.as().get('/api/mesh');
      expect(body.peers[0]).to.include({ name: NAME, invalid_entries: 0 });
      expect(body.peers[0].status).to.equal('active');
    });
  });
});
