import vectors from '../../../docs/spec/mesh-vectors.json' with {
  type: 'json',
};
import { judgePage } from '../../../mesh/pull/verify/judge-page.js';
import {
  freshState,
  type JudgedPage,
  type Keeping,
  type KnownPost,
  type PageFacts,
} from '../../../mesh/pull/verify/judged.js';
import { parseLeaf } from '../../../mesh/pull/verify/prepare-page.js';
import type { DecisionAction } from '../../../protocol/entry.js';
import { feedPageFromJson } from '../../../protocol/feed-page.js';
import { ready } from '../../../protocol/signing.js';
import { formatVkey } from '../../../protocol/vkey.js';
import { taken } from '../../protocol/support/vectors.js';
import { newAgent } from '../../support/agent.js';
import { pageFacts } from '../support/page-facts.js';
import { noise, ScriptedLog } from '../support/scripted-log.js';

const AT = 1_768_478_400_000;
const BOARD = 'board-a.example';

/** spec/mesh.md §B7, step 5: what a page's entries do to each other. */
describe('a page of a mirrored log', () => {
  let log: ScriptedLog;
  before(ready);
  beforeEach(() => {
    log = new ScriptedLog(BOARD, AT);
  });

  function judged(changed: Partial<PageFacts> = {}): JudgedPage {
    const page = taken(feedPageFromJson(log.page(0, 256, 'all')));
    const facts = { ...pageFacts(log), ...changed };
    return judgePage(page.entries.map(parseLeaf), facts);
  }

  const faultsOf = ({ entries }: JudgedPage) =>
    entries.map(({ fault }) => fault);

  const remove = (post: { id: number; hash: Uint8Array }) =>
    log.entry({
      ...{ type: 'remove', at: AT, id: post.id, target: post.hash },
      ...{ by: 'operator', reason: 'spam', explain: null },
    });
  const decide = (
    post: { id: number; hash: Uint8Array },
    action: DecisionAction,
    at = AT,
  ) =>
    log.entry({
      ...{ type: 'decision', at, id: post.id, target: post.hash },
      ...{ action, explain: null },
    });
  const known = (id: number, more: Partial<KnownPost> = {}): KnownPost => ({
    ...{ id, rootId: id, hash: noise(`post ${id}`), agentId: null },
    ...{ pollId: null, room: 'lobby', state: freshState('ok') },
    ...more,
  });

  for (const [action, expected] of [
    ['hide', { visibility: 'hidden_by_decision', status: 'ok' }],
    ['restore', { visibility: 'restored_by_decision', status: 'ok' }],
    ['erase', { erased: true, status: 'ok' }],
    ['keep', freshState('ok')],
    ['reinstate', freshState('ok')],
    ['poll-accepted', { pollDecision: { outcome: 'accepted', at: AT } }],
    ['poll-declined', { pollDecision: { outcome: 'declined', at: AT } }],
    ['poll-deferred', { pollDecision: { outcome: 'deferred', at: AT } }],
  ] as const) {
    it(`takes the decision ${action} for a post of it and an earlier one`, () => {
      const earlier = known(1);
      log.lastId = 1;
      const post = log.post();
      const index = decide(post, action);
      decide(earlier, action);
      const page = judged({ lastMessageId: 1, posts: new Map([[1, earlier]]) });
      const placed = (at: number) =>
        'pollDecision' in expected && expected.pollDecision !== null
          ? { pollDecision: { ...expected.pollDecision, index: at } }
          : expected;
      expect(faultsOf(page)).to.deep.equal([null, null, null]);
      expect(page.posts[0]?.state).to.deep.include(placed(index));
      expect(page.changed.get(1)?.state).to.deep.include(placed(index + 1));
      expect(page.decisions.map(({ index: at }) => at)).to.deep.equal([1, 2]);
      expect(earlier.state, 'what it was given').to.deep.equal(
        freshState('ok'),
      );
    });
  }

  for (const [what, keeping, status] of [
    ['is fetched again', { asked: 'all', keeps: true }, ['missing', 'missing']],
    [
      'of an agent alone',
      { asked: 'signed', keeps: true },
      ['missing', 'bare'],
    ],
    ['is never asked for', { asked: 'none', keeps: false }, ['bare', 'bare']],
  ] as const satisfies [string, Keeping, string[]][]) {
    it(`loses a text by a removal; given back it ${what}`, () => {
      const agent = newAgent();
      log.key(agent);
      const posts = [log.post({ agent }), log.post()];
      for (const post of posts) remove(post);
      const gone = judged({ keeping });
      expect(gone.posts.map(({ content }) => content)).to.eql([null, null]);
      expect(gone.posts.map((one) => one.state.status)).to.deep.equal([
        ...['removed', 'removed'],
      ]);
      for (const post of posts) decide(post, 'reinstate');
      const back = judged({ keeping });
      expect(back.posts.map((one) => one.state.status)).to.deep.equal(status);
      expect(back.posts[0]?.state.removal).to.equal(null);
    });
  }

  it('leaves an invalid post invalid after each decision', () => {
    const bad = log.post({ statement: { board: 'other.example' } });
    remove(bad);
    decide(bad, 'reinstate');
    const [post] = judged().posts;
    expect(post?.state.status).to.equal('invalid');
    expect(post?.state.removal).to.include({ reason: 'spam' });
    expect(post?.content).to.equal(null);
  });

  it('has the faults that the vectors print', () => {
    const { page, other_protocol: other } = vectors.judgements;
    const { entries } = taken(feedPageFromJson(page.page));
    const { vkey } = vectors.board_keys.board_a.log;
    const facts = { ...pageFacts(log), logVkey: vkey };
    const found = judgePage(entries.map(parseLeaf), facts);
    expect(faultsOf(found)).to.deep.equal(page.faults);
    const refused = feedPageFromJson(other.page);
    expect(refused).to.deep.equal({ ok: false, reason: other.reason });
  });

  it('has no fault in what concerns posts of a former log that are unknown', () => {
    log.lastId = 9;
    const former = { id: 4, hash: noise('former') };
    remove(former);
    const tie = { voters: 9, result: 'tie', winner: null } as const;
    log.entry({ type: 'poll', at: AT, id: 4, poll: 4, counts: [2, 7], ...tie });
    log.post({ parent: { ...former, root: 3 } });
    log.post({ parent: { ...former, root: 4 } });
    const page = judged({ lastMessageId: 9, formerBelow: 10 });
    expect(faultsOf(page)).to.deep.equal([null, null, null, null]);
    expect([page.decisions, [...page.changed]]).to.deep.equal([[], []]);
    const first = judged({ lastMessageId: 9 });
    expect(faultsOf(first)).to.deep.equal([
      ...['wrong_target', 'wrong_poll', 'parent_unknown', 'parent_unknown'],
    ]);
  });

  it('takes identities of this board and log alone', () => {
    const other = new ScriptedLog('board-b.example', AT);
    const own = log.identity('https://board-a.example');
    const state = (embedded: string) =>
      log.entry({ type: 'board', at: AT, embedded });
    state(own);
    state(other.identity('https://board-b.example'));
    const [text = '', lines = ''] = own.split('\n\n');
    const forged = `${text.replace('seq 0', 'seq 1')}\n\n${lines}`;
    state(forged);
    const page = judged();
    expect(faultsOf(page)).to.deep.equal([
      ...[null, 'bad_identity', 'bad_identity'],
    ]);
    expect(page.identities).to.deep.equal([own]);
    const elsewhere = judged({ logVkey: formatVkey(other.keys.log.vkey) });
    expect(elsewhere.identities).to.deep.equal([]);
  });

  it('marks what is earlier than the entry before it, of every type', () => {
    const post = log.post();
    decide(post, 'hide', AT - 1);
    log.leaf(`reserve-board/entry/v1\ntype later-thing\nat ${AT - 1}\n`);
    const page = judged();
    expect(faultsOf(page)).to.deep.equal([
      ...[null, 'at_decreasing', 'at_decreasing'],
    ]);
    expect(page.posts[0]?.state.visibility).to.equal('visible');
    expect([page.lastAt, page.latestAt]).to.deep.equal([AT, AT]);
  });
});
