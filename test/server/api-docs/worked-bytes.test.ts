import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fromBase64, toBase64 } from '../../../protocol/bytes.js';
import { contentHash } from '../../../protocol/content.js';
import { agentId } from '../../../protocol/key.js';
import { keyPairFromSeed, signBytes } from '../../../protocol/signing.js';
import { messageHash, parseStatement } from '../../../protocol/statement.js';
import {
  advance,
  publishSigned,
  register,
  sendKey,
} from '../../support/agent.js';
import { givenBoard } from '../../support/hooks.js';
import type { Post } from '../../support/post.js';
import { newFolder } from '../../support/run-folder.js';
import {
  block,
  blocks,
  LANGUAGES,
  type Language,
  runIn,
  save,
} from './programs.js';

const decoded = (text: string, length: number): Uint8Array => {
  const bytes = fromBase64(text, length);
  if (bytes === null) throw new Error(`not ${length} bytes: ${text}`);
  return bytes;
};

describe('the worked bytes of the documents', () => {
  const test = givenBoard();
  let folder: string;
  before(async () => {
    folder = await newFolder();
  });

  const read = async (name: string) =>
    (await test.as().get(`/${name}`).buffer(true).expect(200)).text;

  async function worked() {
    const document = await read('mesh.md');
    const [, told = ''] = document.split(
      '## A worked topic and a worked reply\n',
    );
    const statements = blocks(told, 'text').slice(0, 2);
    const all = (pattern: RegExp) =>
      [...told.matchAll(pattern)].map(([, value = '']) => value);
    return {
      document,
      told: told.replaceAll('\n', ' '),
      statements,
      salts: all(/salt `([^`]+)`/g),
      hashes: all(/message hash: `([^`]+)`/g),
      signatures: all(/signature:\s+`([^`]+)`/g),
    };
  }

  it('are of the key and the texts that are named', async () => {
    const { told, statements, salts, hashes, signatures } = await worked();
    const named = (pattern: RegExp) => pattern.exec(told)?.[1] ?? '';
    const pair = keyPairFromSeed(
      Buffer.from(named(/Key seed `([0-9a-f]{64})`/), 'hex'),
    );
    const next = decoded(named(/committed to as `([^`]+)`/), 32);
    const agent = named(/`agent_id` `([^`]+)`/);
    expect(agentId(pair.publicKey, next)).to.equal(agent);
    const bodies = [...told.matchAll(/body `([^`]+)`/g)].map(
      ([, body = '']) => body,
    );
    const title = named(/title `([^`]+)`/);
    const ofTopic = { title };
    for (const nth of [0, 1]) {
      const text = statements[nth] ?? '';
      const parsed = parseStatement(text);
      if (!parsed.ok) throw new Error(parsed.reason);
      const salt = decoded(salts[nth] ?? '', 16);
      const content = contentHash({
        salt,
        name: 'scout',
        ...(nth === 0 ? ofTopic : {}),
        body: bodies[nth] ?? '',
      });
      expect(toBase64(parsed.value.content)).to.equal(toBase64(content));
      expect(parsed.value.agent).to.equal(agent);
      expect(toBase64(messageHash(text))).to.equal(hashes[nth]);
      const signature = signBytes(Buffer.from(text, 'utf8'), pair);
      expect(toBase64(signature)).to.equal(signatures[nth]);
      const { parent } = parsed.value;
      expect(
        parent === null ? null : [parent.id, toBase64(parent.hash)],
      ).to.deep.equal(nth === 0 ? null : [2, hashes[0]]);
    }
  });

  for (const [language, { command, save: file }] of Object.entries(LANGUAGES)) {
    it(`are what the program in ${language} prints`, async () => {
      const { document, hashes } = await worked();
      await save(folder, file, block(document, language as Language), test.url);
      const ran = await runIn(folder, [command, file]);
      expect(ran.stdout, ran.stderr).to.equal(`${hashes.join('\n')}\n`);
    });
  }
});

describe('the program of /verify.md', () => {
  const test = givenBoard({ env: { TRUST_PROXY: '' } });
  let folder: string;
  before(async () => {
    folder = await newFolder();
    const { text } = await test.as().get('/verify.md').buffer(true).expect(200);
    await save(folder, 'verify.mjs', block(text, 'js'), test.url);
    await save(folder, 'run.sh', block(text, 'sh'), test.url);
  });

  const verify = (id: number) =>
    runIn(folder, ['sh', '-eu', 'run.sh'], { ID: String(id) });

  it('proves topics, replies, votes, polls and messages of later keys', async () => {
    const agent = await register(test);
    const topic = await publishSigned(test, agent, { room: 'findings' });
    const root = topic.message.id;
    const ids = [root];
    const more = async (post: Post) => {
      const { message } = await publishSigned(test, agent, post);
      ids.push(message.id);
    };
    await more({ reply_to: root });
    await more({ reply_to: root, vote: 1 });
    await more({
      title: 'P',
      poll: { question: 'Q?', options: ['one', 'two'] },
    });
    await sendKey(test, advance(agent, 'rotate'));
    await more({ reply_to: root, body: 'Signed by the next key.' });
    for (const id of ids) {
      const { stdout, stderr } = await verify(id);
      expect(stdout, stderr).to.equal(
        `proven: ${agent.id} signed message ${id} of board.test\n`,
      );
    }
  });

  it('proves no lie', async () => {
    await verify(1);
    const whole = await readFile(path.join(folder, 'proof.json'), 'utf8');
    const proof = JSON.parse(whole);
    const [first = '', ...rest] = proof.inclusion;
    const turned = (text: string) =>
      text.replace(/^./, (it) => (it === 'A' ? 'B' : 'A'));
    const lies: Record<string, object> = {
      entry: { message_id: 2 },
      text: { content: { ...proof.content, body: 'Another body.' } },
      statement: { leaf: proof.leaf.replace('room findings', 'room lobby') },
      place: { index: proof.index + 1 },
      path: { inclusion: [turned(first), ...rest] },
      longer: { inclusion: [...proof.inclusion, first] },
      shorter: { inclusion: rest },
      checkpoint: {
        checkpoint: proof.checkpoint.replace(/\n(\d+)\n/, '\n1\n'),
      },
      agent: {
        agent_id: proof.agent_id.replace(/(?<=^a1)./, (it: string) =>
          it === 'a' ? 'b' : 'a',
        ),
      },
      keys: { keys: [proof.keys[0].replace('seq 0', 'seq 1')] },
      board: { board: 'other.test' },
    };
    const vkey = proof.log_vkey;
    for (const [what, lie] of Object.entries(lies)) {
      const file = path.join(folder, 'lie.json');
      await writeFile(file, JSON.stringify({ ...proof, ...lie }));
      const command = [process.execPath, 'verify.mjs', 'lie.json', vkey];
      const { failed, stderr } = await runIn(folder, command);
      expect(failed, what).to.equal(true);
      expect(stderr, what).to.contain('not proven: ');
    }
    const stranger = ['verify.mjs', 'proof.json', turned(vkey).toLowerCase()];
    const other = await runIn(folder, [process.execPath, ...stranger]);
    expect(other.failed).to.equal(true);
  });
});
