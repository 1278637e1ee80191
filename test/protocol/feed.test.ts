import { signCheckpoint } from '../../protocol/checkpoint.js';
import {
  type FeedPage,
  feedPageFromJson,
  verifyFeedPage,
} from '../../protocol/feed-page.js';
import {
  appendLeaf,
  emptyFrontier,
  type Frontier,
  frontierRoot,
  leafHash,
} from '../../protocol/tree.js';
import {
  b64,
  must,
  refusal,
  seedPair,
  taken,
  vectors,
  vkey,
} from './support/vectors.js';

const { log, feed_page } = vectors;
const logKey = vkey(log.vkey);
const page = taken(feedPageFromJson(feed_page));
const frontierAt = (size: number): Frontier =>
  log.leaves
    .slice(0, size)
    .reduce(
      (frontier, { leaf }) => appendLeaf(frontier, leafHash(leaf)).frontier,
      emptyFrontier(),
    );
const before = frontierAt(2);
const verify = (changed: Partial<FeedPage>, from = before) =>
  verifyFeedPage({ ...page, ...changed }, from, logKey);
const entries = log.leaves.map(({ leaf }) => ({ leaf }));
const whole = { from: 0, to: 11, consistency: [], entries };

function headOf(size: number, root: Uint8Array): string {
  const pair = seedPair(vectors.board_keys.board_a.log.seed_hex);
  const head = { origin: log.origin, size, root };
  return signCheckpoint(head, { vkey: logKey, pair });
}

describe('feed page', () => {
  it('of the vectors leads from 2 to 6 under the checkpoint', () => {
    const verified = taken(verify({}));
    expect(verified.frontier).to.deep.equal(frontierAt(6));
    expect(verified.checkpoint.size).to.equal(11);
    const places = verified.nodes.map(({ level, index }) => [level, index]);
    expect(places).to.deep.equal([
      [0, 2],
      [0, 3],
      [1, 1],
      [2, 0],
      [0, 4],
      [0, 5],
      [1, 2],
    ]);
  });

  it('leads to the head itself without a proof', () => {
    const verified = taken(verify(whole, emptyFrontier()));
    expect(verified.frontier).to.deep.equal(frontierAt(11));
    const missing = { ...whole, to: 10, entries: entries.slice(0, 10) };
    expect(refusal(verify(missing, emptyFrontier()))).to.equal('root_mismatch');
  });

  it('may be empty where there is nothing new', () => {
    const empty = { from: 11, to: 11, consistency: [], entries: [] };
    expect(taken(verify(empty, frontierAt(11))).nodes).to.deep.equal([]);
    const idle = { ...empty, from: 2, to: 2 };
    expect(refusal(verify(idle))).to.equal('feed_corrupt');
  });

  it('is refused at the first step that fails', () => {
    const { origin } = vectors.evidence.prefix;
    expect(refusal(verify({ origin: `${origin}2` }))).to.equal(
      'bad_checkpoint',
    );
    expect(refusal(verify({ checkpoint: '' }))).to.equal('bad_checkpoint');
    const other = vkey(vectors.board_keys.board_b.log.vkey);
    expect(refusal(verifyFeedPage(page, before, other))).to.equal(
      'bad_checkpoint',
    );
    const older = headOf(1, frontierRoot(frontierAt(1)));
    expect(refusal(verify({ checkpoint: older }))).to.equal('rolled_back');
    const forked = headOf(2, leafHash('another history'));
    expect(refusal(verify({ checkpoint: forked }))).to.equal('equivocation');
    expect(refusal(verify({ from: 3, to: 7 }))).to.equal('feed_corrupt');
    expect(refusal(verify({ to: 5 }))).to.equal('feed_corrupt');
    expect(refusal(verify({}, frontierAt(3)))).to.equal('feed_corrupt');
    const short = headOf(5, b64(must(log.roots_by_size_b64[5])));
    expect(refusal(verify({ checkpoint: short }))).to.equal('feed_corrupt');
  });

  it('is refused with more entries than were asked for', () => {
    const leaves = new Array(257).fill({ leaf: 'x' });
    const frontier = leaves.reduce(
      (grown: Frontier, { leaf }) => appendLeaf(grown, leafHash(leaf)).frontier,
      emptyFrontier(),
    );
    const checkpoint = headOf(257, frontierRoot(frontier));
    const large = { ...whole, to: 257, entries: leaves, checkpoint };
    expect(refusal(verify(large, emptyFrontier()))).to.equal('feed_corrupt');
  });

  it('notices a changed, a dropped and a moved entry', () => {
    const [first, second, ...rest] = page.entries;
    const swapped = [must(second), must(first), ...rest];
    expect(refusal(verify({ entries: swapped }))).to.equal('root_mismatch');
    const twice = [must(first), must(first), ...rest];
    expect(refusal(verify({ entries: twice }))).to.equal('root_mismatch');
    const changed = [{ leaf: `${must(first).leaf} ` }, must(second), ...rest];
    expect(refusal(verify({ entries: changed }))).to.equal('root_mismatch');
    expect(refusal(verify({ consistency: [] }))).to.equal('root_mismatch');
    const { consistency } = page;
    const reversed = consistency.toReversed();
    expect(refusal(verify({ consistency: reversed }))).to.equal(
      'root_mismatch',
    );
  });

  it('keeps removed, withheld and broken contents apart', () => {
    const leaf = must(log.leaves[3]).leaf;
    const read = (entry: object) => {
      const json = { ...feed_page, entries: [entry] };
      return must(taken(feedPageFromJson(json)).entries[0]);
    };
    expect(read({ leaf })).to.deep.equal({ leaf });
    expect(read({ leaf, content: null })).to.deep.equal({
      leaf,
      content: null,
    });
    for (const content of ['', {}, { body: 'x' }, 5]) {
      expect(read({ leaf, content }).content).to.equal('bad');
    }
  });

  for (const [why, json] of Object.entries({
    null: null,
    'an array': [feed_page],
    'no protocol': { ...feed_page, protocol: undefined },
    'a size as text': { ...feed_page, from: '2' },
    'a negative size': { ...feed_page, from: -1 },
    'a size beyond 2^53': { ...feed_page, to: 2 ** 53 },
    'no checkpoint': { ...feed_page, checkpoint: undefined },
    'no consistency': { ...feed_page, consistency: null },
    'a hash that is none': { ...feed_page, consistency: ['x'] },
    'entries that are no list': { ...feed_page, entries: {} },
    'an entry without leaf': { ...feed_page, entries: [{}] },
    'a leaf that is no text': { ...feed_page, entries: [{ leaf: 1 }] },
    'a leaf that is ill formed': {
      ...feed_page,
      entries: [{ leaf: '\udfff' }],
    },
    '257 entries': {
      ...feed_page,
      entries: new Array(257).fill({ leaf: 'x' }),
    },
  })) {
    it(`refuses ${why}`, () => {
      expect(refusal(feedPageFromJson(json))).to.equal('feed_corrupt');
    });
  }

  it('tells another protocol from a corrupt page', () => {
    const later = { ...feed_page, protocol: 'reserve-mesh/2' };
    expect(refusal(feedPageFromJson(later))).to.equal('unsupported_protocol');
  });
});
