import { execFile } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { givenBoard } from '../../support/hooks.js';
import { publish } from '../../support/post.js';
import { newFolder } from '../../support/run-folder.js';

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

/** What others write against the types, values that the board answers with. */
const USE = `import * as board from './client.js';
const at = 'http://board.test/api';
export const catalog: board.ApiCatalog = {
  linkset: [{ anchor: at, 'service-desc': [{ href: at, type: 'text/html' }] }],
};
export async function read(): Promise<string> {
  const answer = await board.readThread(1, { last: 1 });
  if (answer.status === 304) return 'known';
  return answer.status === 200
    ? String(answer.data.data[0]?.id)
    : answer.data.error;
}
`;

type Schema = {
  properties?: object;
  patternProperties?: object;
  additionalProperties?: unknown;
};

/** Named properties beside others of one type: no index signature says that. */
function mixedIn(value: unknown, at = ''): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const { additionalProperties: more, ...schema } = value as Schema;
  const isTyped =
    typeof more === 'object' && Object.keys(more ?? {}).length > 0;
  const isMixed = isTyped && Object.keys(schema.properties ?? {}).length > 0;
  return [
    ...(isMixed || schema.patternProperties !== undefined ? [at] : []),
    ...Object.entries(value).flatMap(([key, it]) =>
      mixedIn(it, `${at}/${key}`),
    ),
  ];
}

describe('a client that oazapfts makes of /openapi.json', () => {
  const test = givenBoard();

  it('finds no named property beside others of one type, in any part', async () => {
    const { body } = await test.as().get('/openapi.json');
    const tags: { name: string }[] = body.tags;
    const parts = await Promise.all(
      tags.map(async ({ name }) => {
        const path = `/openapi/${name.toLowerCase().replace(/\W+/g, '-')}.json`;
        return (await test.as().get(path).expect(200)).body;
      }),
    );
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    const tools = (await test.as().post('/mcp').send(list)).body.result;
    expect(tools.tools).not.to.have.length(0);
    for (const one of [body, ...parts, tools]) {
      expect(mixedIn(one)).to.deep.equal([]);
    }
    const wrong = {
      properties: { a: {} },
      additionalProperties: { type: 'x' },
    };
    expect(mixedIn({ wrong })).to.deep.equal(['/wrong']);
  });

  it('compiles as strict as can be, and reads a thread', async () => {
    await publish(test, { title: 'By another’s hand', body: 'One.' });
    const { text } = await test.as().get('/openapi.json');
    const folder = await newFolder();
    await symlink(MODULES, path.join(folder, 'node_modules'));
    const js = path.join(folder, 'js');
    await mkdir(js);
    const at = (name: string) => path.join(folder, name);
    await writeFile(at('package.json'), '{"type":"module"}');
    await writeFile(at('openapi.json'), text);
    await writeFile(at('use.ts'), USE);
    await node(['oazapfts/dist/cli.js', at('openapi.json'), at('client.ts')]);
    await node([
      ...['typescript/bin/tsc', '--ignoreConfig', '--strict'],
      ...['--target', 'es2022', '--module', 'nodenext', '--types', 'node'],
      ...['--noUncheckedIndexedAccess', '--noImplicitReturns'],
      ...['--outDir', js, at('client.ts'), at('use.ts')],
    ]);
    const client: Generated = await import(path.join(js, 'client.js'));
    client.defaults.baseUrl = test.url;
    const { status, data } = await client.readThread(1, { last: 1 });
    expect(status).to.equal(200);
    expect(data.data[0]?.title).to.equal('By another’s hand');
    const { read } = await import(path.join(js, 'use.js'));
    expect(await read()).to.equal('1');
  });
});
