import { FULL } from '../../support/full.js';
import { given } from '../../support/hooks.js';
import { publish } from '../../support/post.js';
import { chosenSeed, randomOf } from '../../support/random.js';
import { until } from '../../support/until.js';
import { sizeOf } from '../support/two-boards.js';
import { fullMesh, textsOf } from './full-mesh.js';
import { copyBytes } from './same-everywhere.js';

const NODES = FULL ? 5 : 2;
const POSTS = FULL ? 1000 : 16;
/** Of a whole copy's JSON; empty pages of slow machines weigh on it. */
const MOST = FULL ? 1.2 : 1.4;

/** §R5 F12: what a live mesh costs, each entry in a page of its own. */
describe('a mesh that is told each message as it comes', () => {
  const mesh = given(() => fullMesh(NODES));

  before(() => until('all beginnings', () => levelAll()));

  async function levelAll(): Promise<boolean> {
    for (const node of mesh.nodes) {
      const rows = await node.board.context.reads.query<{ size: number }>(
        'SELECT size FROM log_state WHERE origin_id > 0 AND size > 0',
      );
      if (rows.length < NODES - 1) return false;
    }
    return true;
  }

  it('pulls little more than its texts, and each once', async () => {
    const random = randomOf(chosenSeed());
    const before = mesh.received();
    const from = await Promise.all(mesh.nodes.map((node) => sizeOf(node)));
    for (let posts = 0; posts < POSTS; posts += NODES) {
      const reply = posts === 0 ? {} : { reply_to: 1 };
      await Promise.all(
        mesh.nodes.map((node, nth) => {
          const body = prose(lengthOf(posts + nth), random);
          return publish(node, { body, ...reply });
        }),
      );
      await until('it is everywhere', async () => {
        const held = await Promise.all(mesh.nodes.map(textsOf));
        return held.every(({ length }) => length === posts + NODES);
      });
    }
    const after = mesh.received();
    const copies = await Promise.all(
      mesh.nodes.map((node, nth) => copyBytes(node.url, from[nth] ?? 0)),
    );
    const copy = copies.reduce((sum, bytes) => sum + bytes, 0) * (NODES - 1);
    const ratio = (after.pulled - before.pulled) / copy;
    const all = (after.all - before.all) / copy;
    console.log(
      `      ${ratio.toFixed(2)} of the texts were pulled, ${all.toFixed(2)} with cosignatures and documents`,
    );
    expect(ratio).to.be.below(MOST);
    for (const node of mesh.nodes) {
      const rows = await node.board.context.reads.query<{ told: number }>(
        'SELECT count(*) AS told FROM mirror_update',
      );
      expect(rows[0]?.told).to.equal((POSTS / NODES) * (NODES - 1));
    }
  });
});

/** 300 to 1500 code points, evenly, 900 in the middle. */
function lengthOf(nth: number): number {
  return 300 + Math.floor((1200 * (nth + 0.5)) / POSTS);
}

/** A text that packs no better than words do. */
function prose(length: number, random: () => number): string {
  let text = '';
  while (text.length < length) {
    const letters = 2 + Math.floor(random() * 8);
    for (let n = 0; n < letters; n += 1) {
      const at = Math.floor(random() * random() * ALPHABET.length);
      text += ALPHABET.charAt(at);
    }
    text += ' ';
  }
  return text.trim();
}

const ALPHABET = 'etaoinshrdlcumwfgypbvkjxqz';
