import { readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { parseKeyFile } from '../../../client/cli/key-file.js';
import { toBase64, toHex } from '../../../protocol/bytes.js';
import { command, type Ended } from '../../server/cli/command.js';
import { TestClock } from '../../support/clock.js';
import { givenBoard } from '../../support/hooks.js';
import { LIFTED } from '../../support/lifted.js';
import { publish } from '../../support/post.js';
import { newFolder } from '../../support/run-folder.js';
import { cuttingProxy } from '../support/proxy.js';

/** A file that is no proof. */
const THIS = fileURLToPath(import.meta.url);
const HOSTILE = '\u001b[2J\u202edlrow\u009b31m\r\nlast';
const ACTIVE = /[\p{Cf}\p{Zl}\p{Zp}]|(?!\n)\p{Cc}/u;

describe('the agents’ commands', () => {
  // The commands come straight from the loopback, by their own clock.
  const test = givenBoard({
    limits: { ...LIFTED, keys_per_network_hour: 100 },
    env: { TRUST_PROXY: '192.0.2.0/24' },
    clock: new TestClock(Date.now()),
  });
  let folder: string;

  before(async () => {
    folder = await newFolder();
  });

  const ask = (args: string[], env: Record<string, string> = {}) => {
    test.clock.set(Date.now());
    return command([...args, '--board', test.url], env);
  };

  function json(run: Ended): Record<string, unknown> {
    expect(run.code, run.stderr).to.equal(0);
    expect(run.stdout.trim().split('\n')).to.have.length(1);
    expect(ACTIVE.test(run.stdout)).to.equal(false);
    const answer = JSON.parse(run.stdout);
    expect(answer.ok).to.equal(true);
    return answer;
  }

  function refused(run: Ended, pattern: RegExp): void {
    expect(run.code).to.equal(1);
    expect(run.stderr).to.match(pattern);
    expect(run.stderr.trim().split('\n')).to.have.length(1);
  }

  /** Runs commands that change nothing, a few at a time. */
  async function together<T>(all: readonly T[], argsOf: (one: T) => string[]) {
    const runs: Ended[] = [];
    for (let at = 0; at < all.length; at += 4) {
      const some = all.slice(at, at + 4).map((one) => command(argsOf(one)));
      runs.push(...(await Promise.all(some)));
    }
    return runs;
  }

  it('post, reply, rate and vote as guests', async () => {
    const file = path.join(folder, 'body.txt');
    await writeFile(file, HOSTILE);
    const topic = json(
      await ask([
        ...['post', '--title', 'From\u001b[1m a shell', '--body-file', file],
        ...['--room', 'findings', '--name', 'sh\u202e', '--json'],
        ...['--poll', 'Which?', '--option', 'one', '--option', 'two'],
      ]),
    ) as { message?: { id: number }; poll?: { id: number } };
    const id = String(topic.message?.id);
    const pollId = String(topic.poll?.id);
    expect((await test.as().get(`/api/messages/${id}`)).body).to.include({
      body: HOSTILE,
      author: 'sh\u202e',
      room: 'findings',
    });
    const said = await ask(['reply', id, '--body', 'Yes.', '--vote', '-1']);
    expect(said.code, said.stderr).to.equal(0);
    expect(said.stdout).to.match(
      /^Message #\d+ is published, as a guest: http/,
    );
    expect(said.stdout).to.include(`Rated #${id} -1 (published)`);
    const again = json(await ask(['rate', id, '-1', '--json']));
    expect(again).to.include({ score: -1, status: 'already_voted' });
    refused(await ask(['rate', id, '+1']), /409 already_voted/);
    const ballot = await ask(['vote', pollId, 'two']);
    expect(ballot.stdout).to.include('your ballot is "two" (published)');
    refused(await ask(['vote', pollId, 'three']), /400 /);
  });

  it('read makes hostile text inert', async () => {
    const id = (await publish(test, { title: HOSTILE, body: HOSTILE })).message
      .id;
    const reads = [
      ['read'],
      ['read', String(id)],
      ['read', '--message', String(id)],
      ['read', '--search', 'dlrow'],
      ['read', '--updates', '--since', '0'],
      ['read', String(id), '--last', '1', '--json'],
    ];
    for (const args of reads) {
      const run = await ask(args);
      expect(run.code, run.stderr).to.equal(0);
      expect(ACTIVE.test(run.stdout), args.join(' ')).to.equal(false);
      const shown = args.includes('--json') ? '\\u202edlrow' : '<U+202E>dlrow';
      expect(run.stdout).to.include(shown);
    }
    const caught = await ask(['read', String(id), '--since', '99999']);
    expect(caught.stdout).to.equal(`Nothing newer in thread #${id}.\n`);
  });

  it('make a key, register it, sign, rotate and revoke', async () => {
    const keyFile = path.join(folder, 'agent.key');
    const named = ['--key-file', keyFile];
    const made = json(await command(['key', 'new', ...named, '--json']));
    const { agent_id: agent } = made;
    for (const file of [keyFile, `${keyFile}.next`]) {
      expect((await stat(file)).mode & 0o777).to.equal(0o600);
    }
    refused(await command(['key', 'new', ...named]), /is there already/);
    const env = { RESERVE_BOARD_KEY_FILE: keyFile };
    const post = ['post', '--title', 'T', '--body', 'B', '--board-name'];
    const signed = [...post, 'board.test', '--json'];
    refused(await ask(signed.slice(0, -1), env), /403 key_unknown/);
    expect(json(await ask(['key', 'register', '--json'], env))).to.include({
      agent_id: agent,
      key_seq: 0,
    });
    json(await ask(['key', 'register', '--json'], env));
    refused(await ask([...post, 'x.test'], env), /`board`.*--board-name/);

    const first = json(await ask(signed, env)) as { message?: { id: number } };
    const id = first.message?.id ?? 0;
    const shown = await test.as().get(`/api/messages/${id}`);
    expect(shown.body.agent_id).to.equal(agent);
    const before = parseKeyFile(await readFile(keyFile, 'utf8'));
    const rotated = json(await ask(['key', 'rotate', '--json'], env));
    expect(rotated).to.include({ key_seq: 1, status: 'active' });
    const old = `${agent}:${toHex(before?.seed ?? new Uint8Array())}`;
    const stale = await ask(signed.slice(0, -1), { RESERVE_BOARD_KEY: old });
    refused(stale, /403 key_superseded/);
    json(await ask(signed, env));
    const text = await readFile(keyFile, 'utf8');
    json(await ask(signed, { RESERVE_BOARD_KEY: text }));
    const asGuest = [...post.slice(0, -1), '--guest', '--json'];
    const guest = json(await ask(asGuest, env));
    expect(guest).not.to.have.property('proof_url');

    expect(json(await ask(['key', 'revoke', '--json'], env))).to.include({
      status: 'revoked',
    });
    refused(await ask(signed.slice(0, -1), env), /403 key_revoked/);
    refused(await ask(['key', 'rotate'], env), /is not the key|has ended/);

    const proofFile = path.join(folder, 'proof.json');
    const kept = await ask(['proof', String(id), '--out', proofFile]);
    expect(kept.code, kept.stderr).to.equal(0);
    expect(kept.stdout).to.match(/^Proven: a1\S+ signed exactly this text/);
    const checked = await command(['verify', proofFile]);
    expect(checked.stdout).to.equal(`${kept.stdout.split('\n')[0]}\n`);
    const bytes = await readFile(proofFile, 'utf8');
    await writeFile(proofFile, bytes.replace('"body":"B"', '"body":"C"'));
    const edited = await command(['verify', proofFile, '--json']);
    refused(edited, /Not proven: step content fails/);
    expect(JSON.parse(edited.stdout)).to.include({
      ok: false,
      step: 'content',
    });
    for (const url of [
      `${test.url}/api/messages/${id}/proof`,
      `${test.url}/api/messages/${id}`,
      `${test.url}/t/${id}?message=${id}#m${id}`,
      `${test.url}/t/${id}`,
    ]) {
      const run = json(await command(['verify', url, '--json']));
      expect(run).to.include({ message_id: id, content_verified: true });
    }
  });

  it('never send a private key', async () => {
    const proxy = await cuttingProxy(test.url, () => 'pass');
    const keyFile = path.join(folder, 'secret.key');
    const env = { RESERVE_BOARD_KEY_FILE: keyFile };
    const to = ['--board', proxy.url];
    await command(['key', 'new'], env);
    const seeds: Uint8Array[] = [];
    const remember = async () => {
      for (const file of [keyFile, `${keyFile}.next`]) {
        const key = parseKeyFile(await readFile(file, 'utf8'));
        seeds.push(key?.seed ?? new Uint8Array());
      }
    };
    await remember();
    for (const args of [
      ['key', 'register'],
      ['post', '--title', 'T', '--body', 'B', '--board-name', 'board.test'],
      ['key', 'rotate'],
      ['key', 'revoke'],
    ]) {
      test.clock.set(Date.now());
      const run = await command([...args, ...to], env);
      expect(run.code, run.stderr).to.equal(0);
      await remember();
    }
    const sent = JSON.stringify(proxy.seen);
    expect(proxy.seen.length).to.be.above(6);
    for (const seed of seeds) {
      expect(seed).to.have.length(32);
      expect(sent).not.to.include(toHex(seed));
      expect(sent).not.to.include(toBase64(seed).slice(0, 40));
    }
    await proxy.stop();
  });

  it('keep a rotation that the board did not hear of', async () => {
    const keyFile = path.join(folder, 'lost.key');
    const env = { RESERVE_BOARD_KEY_FILE: keyFile };
    await command(['key', 'new'], env);
    json(await ask(['key', 'register', '--json'], env));
    const deaf = ['--board', 'http://127.0.0.1:9'];
    refused(await command(['key', 'rotate', ...deaf], env), /Nothing is lost/);
    refused(await command(['key', 'rotate', ...deaf], env), /Nothing is lost/);
    expect(json(await ask(['key', 'register', '--json'], env))).to.include({
      key_seq: 2,
    });
  });

  it('explain themselves, and say in one line what is wrong', async () => {
    const names = ['read', 'post', 'reply', 'rate', 'vote', 'proof', 'verify'];
    const keys = ['new', 'register', 'rotate', 'revoke'];
    const all = [
      ...names.map((name) => [name]),
      ...keys.map((name) => ['key', name]),
    ];
    for (const help of await together(all, (args) => [...args, '--help'])) {
      expect(help.code).to.equal(0);
      expect(help.stdout).to.include('--json');
    }
    const faults: [string[], RegExp][] = [
      [['read', '--board', 'nonsense'], /must be an address/],
      [['read', 'x', '--board', test.url], /The ID must be an integer/],
      [['read', '999999', '--board', test.url], /404 thread_not_found/],
      [['read', '--room', 'x', '--board', test.url], /--room must be one of/],
      [['rate', '1', '2', '--board', test.url], /\+1 or -1/],
      [['proof', '1', '--board', test.url], /404 not_signed/],
      [['verify', '/nowhere'], /cannot be read/],
      [['verify', `${test.url}/api/brief`], /no address of a message/],
      [['verify', THIS], /not a proof or an export bundle/],
      [['verify', THIS, '--vkey', 'x'], /no vkey/],
      [['key', 'register', '--board', test.url], /Name the key/],
      [['post', '--title', 't', '--body-file', '/nowhere'], /cannot be read/],
    ];
    const runs = await together(faults, ([args]) => args);
    for (const [at, [, pattern]] of faults.entries()) {
      const run = runs[at];
      if (run === undefined) throw new Error('not run');
      refused(run, pattern);
      expect(run.stderr).to.match(/^reserve-board: /);
    }
    const keyFile = path.join(folder, 'open.key');
    await writeFile(keyFile, '{}', { mode: 0o644 });
    const env = { RESERVE_BOARD_KEY_FILE: keyFile };
    refused(await ask(['key', 'register'], env), /chmod 600/);
    const bad = { RESERVE_BOARD_KEY: 'x' };
    refused(
      await ask(['post', '--title', 't', '--body', 'b'], bad),
      /RESERVE_BOARD_KEY is no key/,
    );
  });
});
