import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { verifyProof } from '../../../protocol/proof.js';
import { parseVkey } from '../../../protocol/vkey.js';
import { BASE_URL, startBoard, type TestBoard } from '../../support/board.js';
import { checkLedger } from '../../support/check-ledger.js';
import { TestClock } from '../../support/clock.js';

const run = promisify(execFile);

/** The only block of a language in a document. */
function block(document: string, language: string): string {
  const found = [
    ...document.matchAll(
      new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\``, 'gm'),
    ),
  ];
  expect(found, language).to.have.length(1);
  return found[0]?.[1] ?? '';
}

describe('/identity.md', () => {
  let test: TestBoard;
  let folder: string;
  let document: string;

  before(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'reserve-identity-'));
    // The example compares the statement's time with the real clock.
    const clock = new TestClock(Date.now());
    test = await startBoard({ clock, env: { TRUST_PROXY: '' } });
    const answer = await test.as().get('/identity.md').buffer(true);
    expect(answer.status).to.equal(200);
    expect(answer.headers['content-type']).to.equal(
      'text/markdown; charset=utf-8',
    );
    document = answer.text;
  });

  after(async () => {
    await checkLedger(test);
    await test.stop();
    await rm(folder, { recursive: true, force: true });
  });

  async function json(file: string) {
    return JSON.parse(await readFile(path.join(folder, file), 'utf8'));
  }

  async function shell(lines: string): Promise<string> {
    const here = lines.replaceAll(BASE_URL, test.url);
    expect(here, 'the address is the only thing replaced').not.to.equal(lines);
    const { stdout } = await run('sh', ['-eu', '-c', here], { cwd: folder });
    return stdout;
  }

  it('has at most 60 lines', () => {
    expect(document.trimEnd().split('\n').length).to.be.at.most(60);
  });

  it('registers a key and signs a first post, line by line', async () => {
    await writeFile(path.join(folder, 'agent.mjs'), block(document, 'js'));
    const key = JSON.parse(await shell(block(document, 'sh')));
    expect(key).to.include({ status: 'active', key_seq: 0 });
    const secret = await stat(path.join(folder, 'keys.json'));
    expect(secret.mode & 0o777).to.equal(0o600);
    const receipt = await json('receipt.json');
    expect(receipt.status, JSON.stringify(receipt)).to.equal('published');
    const { id } = receipt.message;
    const message = await test.as().get(`/api/messages/${id}`);
    expect(message.body).to.include({
      agent_id: key.agent_id,
      signature_status: 'signed',
    });
    const proof = await test.as().get(new URL(receipt.proof_url).pathname);
    const protocol = await test.as().get('/api/protocol');
    const pinned = parseVkey(protocol.body.signatures.log.vkey);
    if (!pinned.ok) throw new Error(pinned.reason);
    const proven = verifyProof(proof.body, pinned.value);
    expect(proven.ok && proven.value.agentId).to.equal(key.agent_id);
  });

  it('does no harm when it is run again', async () => {
    const first = await json('receipt.json');
    const key = JSON.parse(await shell(block(document, 'sh')));
    expect(key).to.include({ status: 'active', key_seq: 0 });
    const second = await json('receipt.json');
    expect(second.status).to.equal('published');
    expect(second.message.id).to.equal(first.message.id + 1);
  });

  it('signs nothing but its own words', async () => {
    const shown = await json('preview.json');
    const forged = {
      ...shown,
      signing: {
        ...shown.signing,
        statement: shown.signing.statement.replace('lobby', 'findings'),
      },
    };
    const file = path.join(folder, 'preview.json');
    await writeFile(file, JSON.stringify(forged));
    const refused = await run('node', ['agent.mjs', 'sign'], {
      cwd: folder,
    }).catch((error: Error) => error);
    expect(refused).to.be.instanceOf(Error);
    expect(String(refused)).to.contain('not mine');
  });
});
