import { execFile } from 'node:child_process';
import { mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { ExportReader } from '../../../server/cli/export-reader.js';
import {
  command,
  type Environment,
  running,
} from '../../server/cli/command.js';
import { publishSigned, register } from '../../support/agent.js';
import { decideTo } from '../../support/decide.js';
import { givenBoard } from '../../support/hooks.js';
import { publish } from '../../support/post.js';
import { newFolder } from '../../support/run-folder.js';
import { filesOf } from '../support/bundle.js';
import { cuttingProxy } from '../support/proxy.js';

describe('the commands about whole logs', () => {
  const test = givenBoard({
    lifted: true,
    env: { TRUST_PROXY: '192.0.2.0/24' },
  });
  let folder: string;
  let env: Environment;

  beforeEach(async () => {
    const { baseUrl, dataDir, boardSeed } = test.board.context.config;
    env = {
      BASE_URL: baseUrl,
      DATA_DIR: dataDir,
      DATABASE_URL: test.databaseUrl,
      BOARD_SEED: boardSeed ?? '',
    };
    folder = await newFolder();
  });

  const inside = (name: string) => path.join(folder, name);

  it('export a bundle of the same bytes from database and board, and verify it', async () => {
    const { id } = (await publish(test, { body: 'stays\u202e' })).message;
    const agent = await register(test);
    await publishSigned(test, agent, { reply_to: id, body: 'signed' });
    const gone = await publish(test, { reply_to: id, body: 'removed' });
    await decideTo.remove(test, gone.message.id);
    const own = await command(['export', '--bundle', inside('own')], env);
    expect(own.code, own.stderr).to.equal(0);
    expect(own.stdout).to.include('Whole: 3 messages (1 signed by 1 agents');
    const args = ['export', '--bundle', inside('far'), '--board', test.url];
    const far = await command([...args, '--json']);
    expect(far.code, far.stderr).to.equal(0);
    expect(JSON.parse(far.stdout)).to.include({
      ok: true,
      messages: 3,
      removed: 1,
    });
    const files = await filesOf(inside('own'));
    expect(await filesOf(inside('far'))).to.deep.equal(files);
    expect(await readdir(folder)).to.have.members(['own', 'far']);
    expect([...files.keys()]).to.include.members([
      'README.txt',
      'bundle.json',
      'checkpoint',
      'keys.jsonl',
      'messages/000.jsonl',
      'tile/0/000.p/6',
      'tile/entries/000.p/6',
    ]);
    const { log_vkey: vkey } = JSON.parse(String(files.get('bundle.json')));
    const pins = inside('pins');
    await writeFile(pins, `# our board\n${vkey}\n`);
    const good = await command(['verify', inside('far'), '--pins', pins]);
    expect(good.stdout).to.match(/^Whole: 3 messages/);
    expect(good.stdout).not.to.include('pin it');
    const messages = inside('far/messages/000.jsonl');
    const text = String(files.get('messages/000.jsonl'));
    await writeFile(messages, text.replace('stays', 'Stays'));
    const bad = await command(['verify', inside('far'), '--json']);
    expect(bad.code).to.equal(1);
    expect(bad.stderr).to.match(/^reserve-board: Not whole: step content/);
    expect(JSON.parse(bad.stdout)).to.include({ ok: false, step: 'content' });
  });

  it('export nothing where something is, or of what is not whole', async () => {
    await publish(test, {});
    await mkdir(inside('there'));
    await writeFile(inside('there/mine'), 'mine');
    const full = await command(['export', '--bundle', inside('there')], env);
    expect(full.code).to.equal(1);
    expect(full.stderr).to.match(/^reserve-board: .*is not empty/);
    const liar = await cuttingProxy(test.url, ({ path: to }) =>
      to.startsWith('/log/feed') || to.startsWith('/log/content')
        ? { change: (text) => text.replace('A body.', 'Other.') }
        : 'pass',
    );
    const args = ['export', '--bundle', inside('lie'), '--board', liar.url];
    const lie = await command(args);
    expect(lie.code).to.equal(1);
    expect(lie.stderr).to.match(/^reserve-board: Nothing is kept\. Not whole/);
    await liar.stop();
    const both = ['export', '--bundle', inside('a'), '--out', inside('b')];
    expect((await command(both)).stderr).to.match(
      /^reserve-board: name one of/,
    );
    expect(await readdir(folder)).to.deep.equal(['there']);
  });

  it('export into no pipe, which a file would take the place of', async () => {
    const pipe = inside('pipe');
    await promisify(execFile)('mkfifo', [pipe]);
    const refused = await command(['export', '--out', pipe], env);
    expect(refused.code).to.equal(1);
    expect(refused.stderr).to.include('is no ordinary file');
    expect((await stat(pipe)).isFIFO()).to.equal(true);
    expect(await readdir(folder)).to.deep.equal(['pipe']);
  });

  it('take no line of another form for a message', () => {
    for (const it of ['null', '1', '"x"', '[', '']) {
      const reader = new ExportReader();
      expect(() => reader.write(Buffer.from(`MESSAGE ${it}\n`)), it).to.throw(
        'a line without JSON',
      );
    }
  });

  it('read --follow shows each message as it comes', async () => {
    const { id } = (await publish(test, { body: 'before' })).message;
    await publish(test, { body: 'first' });
    const args = ['read', '--follow', '--since', String(id), '--json'];
    const reader = running([...args, '--board', test.url], {}, /second/);
    await publish(test, { body: 'second' });
    const { lines, stop } = await reader;
    await stop();
    expect(lines.map((line) => JSON.parse(line).body)).to.deep.equal([
      'first',
      'second',
    ]);
  });
});
