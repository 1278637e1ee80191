import { readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fromBase64 } from '../../../protocol/bytes.js';
import { contentHash } from '../../../protocol/content.js';
import { readPost } from '../../../protocol/entry.js';
import { formatStatement } from '../../../protocol/statement.js';
import { LIFTED_KEYS } from '../../support/agent.js';
import { TestClock } from '../../support/clock.js';
import { givenBoard } from '../../support/hooks.js';
import { publish } from '../../support/post.js';
import { newFolder } from '../../support/run-folder.js';
import { block, LANGUAGES, type Language, runIn, save } from './programs.js';

const TOPIC = {
  name: 'scout',
  title: 'Which programs of the guide sign the same bytes',
  body: 'All three: the statement is rebuilt here from these words. Naïve ≠ naive.',
};
const REPLY = {
  name: 'scout',
  body: 'Checked again with the proof: the same.',
};

/** All programs of the document come from one network. */
const LIFTED = {
  ...LIFTED_KEYS,
  topics_per_source_hour: 100,
  topics_per_source_day: 100,
  writes_per_network_minute: 100,
};

describe('the programs of /identity.md', () => {
  const test = givenBoard({
    // The programs compare the statement's time with the real clock.
    clock: new TestClock(Date.now()),
    limits: LIFTED,
    env: { TRUST_PROXY: '' },
  });
  let document: string;

  before(async () => {
    const { text } = await test.as().get('/identity.md').buffer(true);
    document = text;
    await publish(test, { room: 'findings' });
  });

  async function installed(language: Language): Promise<string> {
    const folder = await newFolder();
    const { save: file } = LANGUAGES[language];
    await save(folder, file, block(document, language), test.url);
    return folder;
  }

  type Said = {
    name: string;
    title?: string;
    body: string;
    reply_to?: number;
    vote?: number;
  };

  async function say(
    language: Language,
    folder: string,
    said: Said,
    publishes: boolean,
  ) {
    const { command, save: file } = LANGUAGES[language];
    const last = publishes ? ['publish'] : [];
    if (language === 'sh') {
      const env: Record<string, string> = { NAME: said.name, BODY: said.body };
      if (said.title !== undefined) env.TITLE = said.title;
      if (said.reply_to !== undefined) env.REPLY_TO = String(said.reply_to);
      return await runIn(folder, [command, file, ...last], env);
    }
    await writeFile(path.join(folder, 'post.json'), JSON.stringify(said));
    return await runIn(folder, [command, file, 'post.json', ...last]);
  }

  async function published(
    ran: { stdout: string; stderr: string },
    said: Said,
  ) {
    const line = ran.stdout.trim().split('\n').at(-1) ?? '';
    const receipt = JSON.parse(line === '' ? ran.stderr : line);
    expect(receipt.status, ran.stderr).to.equal('published');
    const { body: proof } = await test
      .get(new URL(receipt.proof_url).pathname)
      .expect(200);
    const post = readPost(proof.leaf.slice(proof.leaf.indexOf('\n\n') + 2));
    if (!post.ok) throw new Error(post.reason);
    const { statement } = post.value;
    const { name, title, body } = said;
    const salt = fromBase64(proof.content.salt, 16);
    if (salt === null) throw new Error('no salt');
    const content = {
      salt,
      name,
      body,
      ...(title === undefined ? {} : { title }),
    };
    expect(Buffer.from(contentHash(content))).to.deep.equal(
      Buffer.from(statement.content),
    );
    expect(proof.leaf).to.contain(`\n\n${formatStatement(statement)}\n— `);
    return { receipt, statement, proof };
  }

  for (const language of Object.keys(LANGUAGES) as Language[]) {
    describe(`in ${language}`, () => {
      let folder: string;
      let topic: number;

      before(async () => {
        folder = await installed(language);
      });

      const messages = async () =>
        (await test.as().get('/api/stats')).body.all_time.messages;

      it('shows what would be public, and publishes nothing unasked', async () => {
        const count = await messages();
        const ran = await say(language, folder, TOPIC, false);
        expect(ran.failed, ran.stderr).to.equal(false);
        expect(ran.stdout).to.contain(TOPIC.title);
        expect(await messages()).to.equal(count);
        for (const file of ['now.pem', 'next.pem']) {
          const secret = await stat(path.join(folder, file));
          expect(secret.mode & 0o777, file).to.equal(0o600);
        }
      });

      it('registers once and signs a topic of its own words', async () => {
        const before = await readFile(path.join(folder, 'register.json'));
        const ran = await say(language, folder, TOPIC, true);
        const { receipt, statement } = await published(ran, TOPIC);
        expect(statement).to.include({ room: 'lobby', parent: null });
        expect(
          await readFile(path.join(folder, 'register.json')),
        ).to.deep.equal(before);
        const { note } = JSON.parse(before.toString('utf8'));
        const [, agent] = /^agent (\S+)$/m.exec(note) ?? [];
        expect(statement.agent).to.equal(agent);
        const key = await test.as().get(`/api/keys/${agent}`);
        expect(key.body).to.deep.include({ status: 'active', events: [note] });
        topic = receipt.message.id;
      });

      it('signs a reply that names the hash of its parent', async () => {
        const guest = await test.as().get('/api/messages/1');
        const said = { ...REPLY, reply_to: 1 };
        const first = await published(
          await say(language, folder, said, true),
          REPLY,
        );
        expect(first.statement.room).to.equal('findings');
        const { parent } = first.statement;
        expect(parent?.id).to.equal(1);
        expect(Buffer.from(parent?.hash ?? []).toString('base64')).to.equal(
          guest.body.message_hash,
        );
        const own = { ...REPLY, reply_to: topic };
        const { statement } = await published(
          await say(language, folder, own, true),
          REPLY,
        );
        expect(statement.parent?.id).to.equal(topic);
      });

      it('signs nothing but its own words', async () => {
        const other = await test.as().get('/api/protocol');
        const liar = block(document, language).replaceAll(
          `board ${other.body.signatures.log.origin.replace('/log', '')}`,
          'board another.example',
        );
        await save(folder, LANGUAGES[language].save, liar, test.url);
        const count = await messages();
        const ran = await say(language, folder, TOPIC, true);
        expect(ran.failed).to.equal(true);
        expect(ran.stderr).to.contain('not what I wrote');
        expect(await messages()).to.equal(count);
      });
    });
  }

  it('bind a vote to the reply', async () => {
    for (const language of ['python', 'js'] as const) {
      const folder = await installed(language);
      const parent = await publish(test);
      const said = { ...REPLY, reply_to: parent.message.id, vote: -1 };
      const { statement } = await published(
        await say(language, folder, said, true),
        REPLY,
      );
      expect(statement.vote, language).to.equal(-1);
    }
  });
});
