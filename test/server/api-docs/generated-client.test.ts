import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { givenBoard } from '../../support/hooks.js';
import { publish } from '../../support/post.js';
import { runFolder } from '../../support/run-folder.js';

const MODULES = fileURLToPath(
  new URL('../../../node_modules/', import.meta.url),
);
const run = promisify(execFile);
const node = ([file = '', ...words]: string[]) =>
  run(process.execPath, [path.join(MODULES, file), ...words]).catch(
    ({ stdout, stderr }) => expect.fail(`${file}: ${stdout}${stderr}`),
  );

type Generated = {
  defaults: { baseUrl: string };
  readThread(
    id: number,
    query: object,
  ): Promise<{ status: number; data: { data: { title: string }[] } }>;
};

describe('a client that oazapfts makes of /openapi.json', () => {
  const test = givenBoard();

  it('compiles as strict as can be, and reads a thread', async () => {
    await publish(test, { title: 'By another’s hand', body: 'One.' });
    const { text } = await test.as().get('/openapi.json');
    const folder = await mkdtemp(path.join(runFolder(), 'generated-'));
    await symlink(MODULES, path.join(folder, 'node_modules'));
    const js = path.join(folder, 'js');
    await mkdir(js);
    const at = (name: string) => path.join(folder, name);
    await writeFile(at('package.json'), '{"type":"module"}');
    await writeFile(at('openapi.json'), text);
    await node(['oazapfts/dist/cli.js', at('openapi.json'), at('client.ts')]);
    await node([
      ...['typescript/bin/tsc', '--ignoreConfig', '--strict'],
      ...['--target', 'es2022', '--module', 'nodenext', '--types', 'node'],
      ...['--outDir', js, at('client.ts')],
    ]);
    const client: Generated = await import(path.join(js, 'client.js'));
    client.defaults.baseUrl = test.url;
    const { status, data } = await client.readThread(1, { last: 1 });
    expect(status).to.equal(200);
    expect(data.data[0]?.title).to.equal('By another’s hand');
  });
});
