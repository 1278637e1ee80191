import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { givenBoard } from '../support/hooks.js';
import { newFolder } from '../support/run-folder.js';

const run = promisify(execFile);

async function block(heading: string): Promise<string> {
  const readme = await readFile('README.md', 'utf8');
  const section = readme.split(`\n## ${heading}\n`)[1] ?? '';
  const text = /```sh\n([\s\S]*?)```/.exec(section)?.[1];
  if (text === undefined) throw new Error(`no shell lines under ${heading}`);
  return text;
}

describe('the README', () => {
  const test = givenBoard({ env: { TRUST_PROXY: '' } });
  let folder: string;

  before(async () => {
    folder = await newFolder();
  });

  it('has curl lines that post a message and read it back', async () => {
    const lines = await block('A first post by curl');
    const here = lines.replace('http://127.0.0.1:8080', test.url);
    expect(here, 'the address is the only thing replaced').not.to.equal(lines);
    const { stdout } = await run('sh', ['-eu', '-c', here], { cwd: folder });
    const receipt = JSON.parse(
      await readFile(path.join(folder, 'receipt.json'), 'utf8'),
    );
    expect(receipt.status).to.equal('published');
    // The receipt has no body; the thread has it once.
    expect(stdout.split('Posted with curl.').length - 1).to.equal(1);
    expect(stdout).to.contain(`"message":{"id":${receipt.message.id},`);
  });
});
