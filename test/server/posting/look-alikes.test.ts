import { Message } from '../../../server/db/entities/message.js';
import {
  type Agent,
  LIFTED_KEYS,
  publishSigned,
  register,
} from '../../support/agent.js';
import { decideTo } from '../../support/decide.js';
import { givenBoard } from '../../support/hooks.js';
import { type Post, preview, publish } from '../../support/post.js';
import { rows } from '../../support/rows.js';

const GUEST = 'unsigned; a signed author uses this name';
const KEY = 'signed by another key than the author who used this name before';
const DAY_MS = 86_400_000;

const SAME = [
  ['a blank at the end', 'Ada Bot '],
  ['two blanks', 'Ada  Bot'],
  ['a no-break blank', 'Ada\u00a0Bot'],
  ['a line end', 'Ada\nBot'],
  ['other case', 'aDA bOT'],
  ['a blank without width', 'A\u200bda Bot'],
  ['a soft hyphen', 'Ada\u00ad Bot'],
  ['a direction mark', 'Ada Bot\u200f'],
  ['a Hangul filler', 'Ada Bot\u3164'],
  ['a variation selector', 'Ada Bot\ufe0f'],
  ['a blank of Braille', '\u2800Ada Bot'],
  ['a tag', 'Ada Bot\u{e0041}'],
  ['full-width letters', 'Ａｄａ Ｂｏｔ'],
  ['letters of mathematics', '𝐀𝐝𝐚 𝐁𝐨𝐭'],
] as const;
const OTHERS = ['AdaBot', 'Ada-Bot', 'Ada Bot 2', 'Áda Bot'];

describe('an author under the name of another', () => {
  const test = givenBoard({ lifted: true, limits: LIFTED_KEYS });
  let ada: Agent;
  let eve: Agent;

  before(async () => {
    ada = await register(test);
    eve = await register(test);
  });

  const shown = async (id: number) =>
    (await test.as().get(`/api/messages/${id}`)).body;
  const noteOf = async (id: number) => (await shown(id)).author_note;
  /** A post by a key, or a guest's, of a name; `undefined` sends none. */
  const posts = async (agent: Agent | null, name?: string) => {
    const post: Post = name === undefined ? {} : { name };
    const receipt =
      agent === null
        ? await publish(test, post)
        : await publishSigned(test, agent, post);
    return receipt.message.id;
  };
  const noted = async (agent: Agent | null, name?: string) =>
    await noteOf(await posts(agent, name));
  const warnings = async (agent: Agent | null, name: string) => {
    const by = agent === null ? {} : { agent_id: agent.id };
    const { body } = await preview(test, { name, ...by });
    const said: { code: string; detail: string }[] = body.warnings ?? [];
    return said.filter(({ code }) => code === 'name_used_by_a_key');
  };

  it('is marked as a guest and with another key, the earlier key never', async () => {
    expect(await warnings(null, 'quill')).to.deep.equal([]);
    expect(await noted(null, 'quill')).to.equal(undefined);
    expect(await warnings(ada, 'quill')).to.deep.equal([]);
    expect(await noted(ada, 'quill')).to.equal(undefined);
    for (const [agent, note] of [
      [null, GUEST],
      [eve, KEY],
      [eve, KEY],
    ] as const) {
      const [warning] = await warnings(agent, 'quill');
      expect(warning?.detail).to.include(note);
      expect(await noted(agent, 'quill')).to.equal(note);
    }
    expect(await warnings(ada, 'quill')).to.deep.equal([]);
    expect(await noted(ada, 'quill')).to.equal(undefined);
  });

  describe('in every form', () => {
    let root: number;
    let signed: number;
    before(async () => {
      root = await posts(ada, 'forms');
      await publish(test, { name: 'forms', reply_to: root });
      const post = { name: 'forms', reply_to: root };
      signed = (await publishSigned(test, eve, post)).message.id;
    });

    it('shows the notes and who signed', async () => {
      const html = { Accept: 'text/html' };
      for (const [path, headers] of [
        [`/api/thread/${root}/text`, {}],
        [`/t/${root}`, html],
        [`/t/${root}/feed.atom`, {}],
        [`/t/${root}/feed.json`, {}],
        [`/api/thread/${root}`, {}],
      ] as const) {
        const { text, status } = await test.as().get(path).set(headers);
        expect(status, path).to.equal(200);
        for (const note of [GUEST, KEY]) expect(text, path).to.include(note);
        if (path.includes('feed')) continue;
        for (const { id } of [ada, eve]) {
          expect(text, path).to.include(id.slice(0, 16));
        }
      }
    });

    it('has the key before the name in the header lines of texts', async () => {
      const { text } = await test.as().get(`/api/thread/${root}/text`);
      const line = text.split('\n').find((it) => it.startsWith(`#${signed}`));
      expect(line).to.match(
        new RegExp(` signed ${eve.id.slice(0, 16)} "forms" \\(${KEY}\\)$`),
      );
      const home = await test.as().get('/?format=text');
      const { author, agent_id: agent } = await shown(root);
      expect(home.text).to.include(`signed ${agent.slice(0, 16)} "${author}"`);
    });

    it('leads from a page to the messages of the key', async () => {
      const { text } = await test.get(`/t/${root}`).set('Accept', 'text/html');
      const [, href = ''] =
        new RegExp(`href="([^"]+)">${eve.id.slice(0, 16)}<`).exec(text) ?? [];
      expect(href).to.equal(`/agents/${eve.id}`);
      await test.as().get(href).expect(200);
    });
  });

  describe('by the look of names', () => {
    before(() => posts(ada, 'Ada Bot'));
    for (const [what, name] of SAME) {
      it(`is the same with ${what}, and shown as it was sent`, async () => {
        const id = await posts(null, name);
        expect(await shown(id)).to.include({
          author: name,
          author_note: GUEST,
        });
        expect(await noted(eve, name)).to.equal(KEY);
      });
    }
    for (const name of OTHERS) {
      it(`is another one as ${name}`, async () => {
        expect(await noted(null, name)).to.equal(undefined);
      });
    }
  });

  it('is never marked for the default name, however it is written', async () => {
    for (const name of [undefined, 'anonymous-agent', 'Anonymous-Agent ']) {
      expect(await noted(ada, name)).to.equal(undefined);
      expect(await noted(eve, name)).to.equal(undefined);
      expect(await noted(null, name)).to.equal(undefined);
    }
  });

  it('is decided once, by the 30 days before', async () => {
    await posts(ada, 'pilot');
    test.clock.advance(30 * DAY_MS - 1);
    const guest = await posts(null, 'pilot');
    const other = await posts(eve, 'pilot');
    test.clock.advance(1);
    // Nobody claims it any more, so it is free for another key …
    expect(await noted(null, 'pilot')).to.equal(undefined);
    expect(await noted(eve, 'pilot')).to.equal(undefined);
    expect(await noteOf(guest)).to.equal(GUEST);
    expect(await noteOf(other)).to.equal(KEY);
    // … and the one who had it before is never an impostor.
    expect(await noted(ada, 'pilot')).to.equal(undefined);
    expect(await noted(eve, 'pilot')).to.equal(undefined);
    expect(await noted(null, 'pilot')).to.equal(GUEST);
  });

  it('claims nothing by messages that were noted', async () => {
    await posts(ada, 'claim');
    expect(await noted(eve, 'claim')).to.equal(KEY);
    test.clock.advance(20 * DAY_MS);
    await posts(ada, 'claim');
    test.clock.advance(20 * DAY_MS);
    expect(await noted(eve, 'claim')).to.equal(KEY);
    test.clock.advance(11 * DAY_MS);
    expect(await noted(null, 'claim')).to.equal(undefined);
  });

  it('claims nothing by what is removed, until it is put back', async () => {
    const id = await posts(ada, 'gone');
    await decideTo.remove(test, id);
    const row = await rows(test).findOneByOrFail(Message, { id });
    expect(row.nameKey).to.equal(null);
    expect(await noted(null, 'gone')).to.equal(undefined);
    await decideTo.reinstate(test, id);
    expect(await noted(null, 'gone')).to.equal(GUEST);
  });

  it('is found among messages that are published at once', async () => {
    const agents = [ada, eve];
    const all = await Promise.all(
      Array.from({ length: 12 }, (_, at) => posts(agents[at % 2] ?? null, 'x')),
    );
    const messages = await Promise.all(all.map(shown));
    messages.sort((a, b) => a.id - b.id);
    const first = messages[0].agent_id;
    for (const { agent_id: agent, author_note: note } of messages) {
      expect(note).to.equal(agent === first ? undefined : KEY);
    }
  });
});
