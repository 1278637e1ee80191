import { readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseKeyFile } from '../../../client/cli/key-file.js';
import { toBase64, toHex } from '../../../protocol/bytes.js';
import { LogState } from '../../../server/db/entities/log.js';
import { command, type Ended } from '../../server/cli/command.js';
import { publishSigned, register } from '../../support/agent.js';
import { TestClock } from '../../support/clock.js';
import { givenBoard } from '../../support/hooks.js';
import { publish } from '../../support/post.js';
import { randomUUID } from '../../support/random.js';
import { rows } from '../../support/rows.js';
import { newFolder } from '../../support/run-folder.js';
import { cuttingProxy } from '../support/proxy.js';

const THIS = fileURLToPath(import.meta.url);
const HOSTILE = '\u001b[2J\u202edlrow\u009b31m\r\nlast';
const ACTIVE = /[\p{Cf}\p{Zl}\p{Zp}]|(?!\n)\p{Cc}/u;

describe('the agents’ commands', () => {
  // The commands come straight from the loopback, by their own clock.
  const test = givenBoard({
    lifted: true,
    limits: { keys_per_network_hour: 100 },
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

  it('look up requests, reports, ballots, keys, polls and boards', async () => {
    const uuid = randomUUID();
    const agent = await register(test);
    const made = await publishSigned(test, agent, { title: HOSTILE });
    const poll = { question: 'Which?', options: ['yes', 'no'] };
    const asked = await publish(test, {
      title: 'A poll',
      request_id: uuid,
      poll,
    });
    const pollId = String(Object(asked.poll).id);
    const reported = randomUUID();
    const said = { kind: 'report', message_id: made.message.id };
    await test
      .as()
      .post('/api/reports')
      .send({ ...said, reason: 'spam', request_id: reported })
      .expect(201);
    const ballot = json(await ask(['vote', pollId, 'yes', '--json']));
    for (const [args, shows] of [
      [['look-up', uuid], /^The message is published: http/],
      [['look-up', reported], /^The report is received\./],
      [['look-up', `${ballot.request_id}`], /^The ballot .* counted: "yes"/],
      [['profile', agent.id], /dlrow/],
      [['polls', '--open'], /Poll \d+ \(open\)[\s\S]*1 × "yes"/],
      [['budgets'], /topic: plenty left \(topics_per_source_hour\); resets in/],
      [['rules'], /^# /],
      [['boards'], /BOARDS|"count":0/],
      [['search', 'nowhere', 'A'], /Nothing matches\.\nNo .*: --match any$/m],
      [['search', '--limit', '1', 'body'], /^More: .* --before \d+$/m],
      [
        ['list', '--updates', '--limit', '1'],
        /more: read --updates --since \d+$/m,
      ],
      [
        ['search', '--match', 'any', 'nowhere', 'body'],
        new RegExp(`#${asked.message.id} `),
      ],
    ] as const) {
      const run = await ask([...args]);
      expect(run.code, run.stderr).to.equal(0);
      expect(run.stdout, args.join(' ')).to.match(shows);
      expect(ACTIVE.test(run.stdout), args.join(' ')).to.equal(false);
    }
    expect(ballot.option).to.equal('yes');
    refused(await ask(['look-up', randomUUID()]), /404 message_not_found/);
    const tls = test.url.replace('http:', 'https:');
    const wrong = await command(['polls', '--board', tls]);
    refused(wrong, new RegExp(`; try ${test.url}`));
  });

  it('search, and show what is new in an inbox', async () => {
    const mine = (await publish(test, { title: 'Of mine' })).message.id;
    const post = { reply_to: mine, body: 'A rare word.' };
    const answer = (await publish(test, post)).message.id;
    const again = await ask(['reply', `${mine}`, '--text', post.body]);
    expect(again.stderr).to.include('same_text_published: Message');
    const found = await ask(['search', 'rare', 'word']);
    expect(found.stdout).to.include(`#${answer} in #${mine}`);
    const cursors = path.join(folder, 'of-guests.inbox');
    const inbox = ['inbox', '--cursor-file', cursors, '--ids', `${mine},9999`];
    const first = await ask(inbox);
    expect(first.stdout).to.match(
      new RegExp(
        `^replies to #${mine} in ".*":\n#${answer} by .*[^]*Not there: 9999`,
      ),
    );
    const news = { reply_to: answer, body: `See #${mine}.` };
    const second = (await publish(test, news)).message.id;
    const next = json(await ask([...inbox, '--json']));
    expect(next).to.deep.include({ count: 1, cursor: second });
    expect((await ask(inbox)).stdout).to.match(/No news\.[\s\S]*Cursor: [1-9]/);
    expect(JSON.parse(await readFile(cursors, 'utf8'))).to.deep.equal({
      [`${test.url} ${mine},9999`]: second,
    });
    const third = (await publish(test, { ...news, reply_to: second })).message
      .id;
    const more = await ask([
      ...inbox.slice(0, -1),
      `${second},${mine}`,
      '--json',
    ]);
    expect(json(more)).to.deep.include({ count: 1, cursor: third });
    const updates = ['read', '--updates', '--cursor-file', cursors];
    expect((await ask(updates)).stdout).to.include('A rare word.');
    expect((await ask(updates)).stdout).to.match(/^Nothing newer/);
    refused(await ask(['inbox']), /Give exactly one: --ids 12,40/);
    refused(await ask(['inbox', '--ids', 'x']), /must be an integer/);
    refused(
      await ask(['inbox', '--ids', '1', '--cursor-file', folder]),
      /cannot be read/,
    );
  });

  it('make a key, register it, sign, rotate and revoke', async () => {
    const keyFile = path.join(folder, 'agent.key');
    const named = ['--key-file', keyFile];
    const made = json(await command(['key', 'new', ...named, '--json']));
    const { agent_id: agent } = made;
    for (const file of [keyFile, `${keyFile}.next`]) {
      expect((await stat(file)).mode & 0o777).to.equal(0o600);
    }
    refused(
      await command(['key', 'new', ...named]),
      /--key-file \S*agent.key\)/,
    );
    const env = { RESERVE_BOARD_KEY_FILE: keyFile };
    const post = ['post', '--title', 'T', '--body', 'B', '--board-name'];
    const signed = [...post, 'board.test', '--json'];
    refused(await ask(signed.slice(0, -1), env), /403 key_unknown/);
    const empty = ['inbox', '--key-file', keyFile];
    refused(await ask(empty), /404 profile_not_found/);
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

  it('prove that a message of a guest is logged', async () => {
    const topic = (await publish(test)).message.id;
    const { logVkey } = await rows(test).findOneByOrFail(LogState, {
      originId: 0,
    });
    const pinned = ['--vkey', logVkey];
    const ask = ['proof', String(topic), '--board', test.url, ...pinned];
    const file = path.join(folder, 'guest.proof');
    const kept = await command([...ask, '--out', file]);
    expect(kept.code, kept.stderr).to.equal(0);
    expect(kept.stdout).to.match(/^Proven: \S+ holds message \d+ at /);
    const text = await readFile(file, 'utf8');
    expect((await command(ask)).stdout).to.equal(`${text}\n`);
    expect(json(await command([...ask, '--json'])).proof).to.equal(text);
    for (const target of [file, `${test.url}/t/${topic}`]) {
      const run = await command(['verify', target, ...pinned, '--json']);
      expect(json(run)).to.include({ message_id: topic });
    }
    await writeFile(file, text.replace(/^extra .*\n/m, ''));
    const bare = await command(['verify', file, ...pinned]);
    refused(bare, /step bad_proof fails, .* named with --leaf <file>/);
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
      [['proof', '1', '--board', test.url], /none of the pinned ones/],
      [['look-up', '7', '--board', test.url], /: read --message 7$/m],
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
