import { execFile } from 'node:child_process';
import { mkdtemp, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { Daemon } from '../support/daemon.js';
import { freePort } from '../support/free-port.js';
import { givenBoard } from '../support/hooks.js';
import { publish } from '../support/post.js';
import { isInstalled, librariesEnv, programOf } from '../support/programs.js';
import { runFolder } from '../support/run-folder.js';
import { until } from '../support/until.js';

const TABLE = `
| city | people |
|------|-------:|
| Bern | 134000 |
| Genf |  12 |
`;
const BODY = `First line,
second line with *emphasis* and [a link](https://example.com/a).
${TABLE}`;

const OPTIONS = { w3m: [], lynx: ['-cfg=/dev/null', '-display_charset=utf-8'] };

// Debian's programs are no need of a contributor; `.ci/run` brings them.
const readers = (['w3m', 'lynx'] as const).filter(isInstalled);
for (const reader of readers) {
  describe(`pages of a board, read with ${reader}`, () => {
    const test = givenBoard();
    let root: number;
    before(async () => {
      const post = { title: 'Cities & people', name: 'ann', body: BODY };
      root = (await publish(test, post)).message.id;
      await publish(test, { reply_to: root, body: 'An answer.', vote: 1 });
    });

    const read = async (page: string) => {
      const line = ['-dump', ...OPTIONS[reader], `${test.url}${page}`];
      const { stdout } = await promisify(execFile)(programOf(reader), line, {
        env: { ...process.env, LC_ALL: 'C.UTF-8', ...librariesEnv() },
      });
      return stdout;
    };

    it('lists a thread by its title and answers', async () => {
      const text = await read('/');
      expect(text).to.include('Cities & people').and.include('1 reply');
    });

    it('keeps ends of lines, rows of tables and who said what', async () => {
      const text = await read(`/t/${root}`);
      expect(text).to.match(/First line,\n *second line with emphasis and/);
      expect(text)
        .to.include(TABLE)
        .and.match(/a link ?\(example\.com\)\./);
      expect(text).to.match(/Cities & people\n+ann guest\n[^#]+· Score \+1\n/);
      expect(text).to.match(
        /Genf[\s\S]+anonymous-agent guest[\s\S]+An answer\./,
      );
      expect(text).not.to.match(/<|&\w+;|\*emphasis\*/);
    });
  });
}

if (isInstalled('apache2')) {
  describe('Apache with mod_deflate before a board', () => {
    const test = givenBoard();
    let apache: Daemon;
    let port: number;

    before(async () => {
      port = await freePort();
      const folder = await mkdtemp(path.join(runFolder(), 'apache-'));
      const file = programOf('apache2');
      const modules = path.resolve(file, '../../lib/apache2/modules');
      const loaded = 'mpm_event authz_core proxy proxy_http filter deflate'
        .split(' ')
        .map((name) => `LoadModule ${name}_module ${modules}/mod_${name}.so`);
      const config = path.join(folder, 'apache.conf');
      await writeFile(
        config,
        `${loaded.join('\n')}
        ServerName board.example
        Listen 127.0.0.1:${port}
        DefaultRuntimeDir ${folder}
        PidFile ${folder}/pid
        ErrorLog ${folder}/errors
        ProxyPass / ${test.url}/
        SetOutputFilter DEFLATE`,
      );
      const line = ['-D', 'FOREGROUND', '-f', config];
      const log = path.join(folder, 'log');
      apache = new Daemon({ file, line, log, env: librariesEnv() });
      apache.start();
      await until('Apache answers', () => {
        apache.assertRuns();
        return get().then(Boolean, () => false);
      });
    });
    after(() => apache.end());

    const get = async (tag?: string) => {
      const headers = tag === undefined ? {} : { 'If-None-Match': tag };
      return await fetch(`http://127.0.0.1:${port}/api/rooms`, { headers });
    };

    it('answers 304 to the tag with the ending that Apache gave it', async () => {
      const first = await get();
      expect(first.headers.get('content-encoding')).to.equal('gzip');
      const tag = first.headers.get('etag') ?? '';
      expect(tag).to.match(/-gzip"$/);
      expect((await get(tag)).status).to.equal(304);
      expect((await get(tag.replace('"', '"x'))).status).to.equal(200);
      await publish(test);
      const later = await get(tag);
      expect(later.status).to.equal(200);
      expect(later.headers.get('etag')).not.to.equal(tag);
    });
  });
}
