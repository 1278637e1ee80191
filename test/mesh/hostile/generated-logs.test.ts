import fc from 'fast-check';
import {
  DECISION_ACTIONS,
  type Entry,
  REMOVE_BY,
  REMOVE_REASONS,
} from '../../../protocol/entry.js';
import { PROPOSAL_KINDS } from '../../../server/db/states.js';
import { recordFaults } from '../../faults/report.js';
import { type Agent, advance, newAgent } from '../../support/agent.js';
import { FULL } from '../../support/full.js';
import { given } from '../../support/hooks.js';
import { chosenSeed } from '../../support/random.js';
import { until } from '../../support/until.js';
import { driven, keptOf } from '../support/driven.js';
import { HostilePeer } from '../support/hostile-peer.js';
import { noise, ScriptedLog } from '../support/scripted-log.js';
import { peerRow } from '../support/two-boards.js';

const MOST = Number.MAX_SAFE_INTEGER;
/** The last time that a date can name, in ms. */
const LAST_DATE = 8.64e15;

/** An entry to be made of what the log has when its turn comes. */
type Step = (log: ScriptedLog, made: Made) => void;
type Post = ReturnType<ScriptedLog['post']>;
/** `signed`: the hashes of what the agents really said at this log. */
type Made = { agents: Agent[]; posts: Post[]; signed: Set<string> };

const at = fc
  .constantFrom(0, 1, 2, 3)
  .chain((kind) =>
    fc.constantFrom(
      ...([
        [1_768_478_400_000],
        [0, 1, 1000],
        [LAST_DATE - 1, LAST_DATE, LAST_DATE + 1],
        [MOST - 1, MOST],
      ][kind] ?? [0]),
    ),
  );
/** Of time a log may go far only once: later entries are earlier then. */
const mostlyNow = fc.oneof(
  { weight: 8, arbitrary: fc.constant(undefined) },
  { weight: 1, arbitrary: at },
);
const id = fc.constantFrom(1, 2, 2 ** 31 - 1, 2 ** 31, 2 ** 32, MOST - 1, MOST);
const count = fc.constantFrom(0, 1, 2 ** 31, MOST);
const nth = fc.nat({ max: 30 });
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.constantFrom(
    '\0',
    '\u202e',
    '\uffff',
    '\u{10ffff}',
    '#1 #9007199254740991 #99999999999999999999 >>0',
    'x'.repeat(4000),
    'a\u0300'.repeat(2000),
    'https://board-b.example/messages/9007199254740991',
    '{1,2}',
    "'; --",
  ),
);
/** A proposal as a preview takes it, which operators may decide. */
const proposal = fc.record({
  question: fc.constant('Shall we?'),
  duration_hours: fc.constantFrom(24, 720),
  kind: fc.constantFrom(...PROPOSAL_KINDS),
  summary: fc.constant('We should, for many good reasons.'),
});
const survey = fc.record({
  question: text,
  options: fc.array(text, { minLength: 2, maxLength: 8 }),
  duration_hours: fc.constantFrom(0, 24, 720, 2 ** 31, MOST),
});
const content = fc.record(
  {
    name: fc.oneof(fc.constant('scout'), text),
    body: fc.oneof(fc.constant('A body that keeps the rules.'), text),
    title: fc.oneof(fc.constant('A title that keeps the rules'), text),
    poll: fc.oneof(survey, proposal),
  },
  { requiredKeys: [] },
);

const pick = <T>(from: readonly T[], place: number): T | undefined =>
  from[place % Math.max(1, from.length)];

const post: fc.Arbitrary<Step> = fc
  .record({
    at: mostlyNow,
    by: fc.option(nth),
    to: fc.option(nth),
    id: fc.option(id, { freq: 8 }),
    content,
    given: fc.option(fc.jsonValue({ maxDepth: 3 }), { freq: 6 }),
    board: fc.option(fc.constant('other.example'), { freq: 12 }),
    said: mostlyNow,
  })
  .map((it) => (log, made) => {
    const agent = it.by === null ? null : (pick(made.agents, it.by) ?? null);
    const parent = it.to === null ? undefined : pick(made.posts, it.to);
    const { title: _, poll: __, ...reply } = it.content;
    const signed = log.post({
      agent,
      ...(it.at === undefined ? {} : { at: it.at }),
      ...(it.id === null ? {} : { id: it.id }),
      ...(parent === undefined ? {} : { parent }),
      ...(it.given === null ? {} : { given: it.given }),
      content: parent === undefined ? it.content : reply,
      statement: {
        ...(it.board === null ? {} : { board: it.board }),
        ...(it.said === undefined ? {} : { at: it.said }),
      },
    });
    made.posts.push(signed);
    if (agent !== null)
      made.signed.add(Buffer.from(signed.hash).toString('hex'));
  });

const key: fc.Arbitrary<Step> = fc
  .tuple(nth, fc.constantFrom('again', 'rotate', 'revoke', 'new'))
  .map(([which, what]) => (log, made) => {
    const agent = pick(made.agents, which);
    if (agent === undefined || what === 'new') {
      const fresh = newAgent();
      made.agents.push(fresh);
      log.key(fresh);
    } else if (what === 'again') log.key(agent, which % agent.notes.length);
    else if (agent.events.at(-1)?.next) {
      advance(agent, what as 'rotate' | 'revoke');
      log.key(agent);
    }
  });

const about = fc.record({
  which: nth,
  at: mostlyNow,
  stray: fc.option(id, { freq: 6 }),
  by: fc.constantFrom(...REMOVE_BY),
  reason: fc.constantFrom(...REMOVE_REASONS),
  action: fc.constantFrom(...DECISION_ACTIONS),
  counts: fc.array(count, { minLength: 2, maxLength: 8 }),
  voters: count,
  explain: fc.option(fc.constant(noise('why'))),
});
const decision: fc.Arbitrary<Step> = fc
  .tuple(about, fc.constantFrom('remove', 'decision', 'poll', 'evidence'))
  .map(([it, type]) => (log, made) => {
    const target = pick(made.posts, it.which);
    const about = {
      at: it.at ?? 1_768_478_400_000,
      id: it.stray ?? target?.id ?? 1,
      target: target?.hash ?? noise('nobody'),
      explain: it.explain,
    };
    const { at, explain } = about;
    const origin = 'a.example/log';
    const kind = 'equivocation';
    const { by, reason, action, counts, voters } = it;
    const entries: Record<string, Entry> = {
      remove: { type: 'remove', ...about, by, reason },
      decision: { type: 'decision', ...about, action },
      poll: {
        type: 'poll',
        at,
        id: about.id,
        poll: about.id,
        counts,
        voters,
        ...{ result: 'selected', winner: 0 },
      },
      evidence: {
        ...{ type: 'evidence', at, origin, kind },
        evidence: explain ?? noise('x'),
      },
    };
    const entry = entries[type];
    if (entry !== undefined) log.entry(entry);
  });

/** An earlier leaf with a piece of it changed, and leaves that are none. */
const junk: fc.Arbitrary<Step> = fc.oneof(
  fc
    .tuple(nth, fc.nat(), fc.nat({ max: 4 }), text)
    .map(([which, place, cut, put]): Step => {
      return (log) => {
        const leaf = pick(log.leaves, which) ?? '';
        const from = place % (leaf.length + 1);
        const text = leaf.slice(0, from) + put + leaf.slice(from + cut);
        log.leaf(text.toWellFormed());
      };
    }),
  fc
    .tuple(nth, at, fc.stringMatching(/^[a-z][a-z0-9-]{0,31}$/), text)
    .map(([which, time, type, rest]): Step => {
      return (log) => {
        const lines = `reserve-board/entry/v1\ntype ${type}\nat ${time}\n`;
        log.leaf(which % 2 === 0 ? lines : `${lines}${rest.toWellFormed()}`);
      };
    }),
  fc.constantFrom('', '\0', '\n\n', 'x'.repeat(9000)).map((leaf): Step => {
    return (log) => void log.leaf(leaf);
  }),
);

const some = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: post },
    { weight: 3, arbitrary: decision },
    { weight: 2, arbitrary: key },
    { weight: 2, arbitrary: junk },
  ),
  { minLength: 1, maxLength: 40 },
);
/** Decisions of a far time come last: what follows them would be late. */
const steps = fc
  .tuple(some, fc.array(decision, { maxLength: 3 }))
  .map(([first, last]) => [...first, ...last]);

/** A proposal that was accepted at a time no date can name. */
const ACCEPTED_FAR: Step[] = [
  (log, made) => {
    const poll = {
      question: 'Shall we?',
      duration_hours: 24,
      kind: 'rule',
      summary: 'We should, for many good reasons.',
    };
    made.posts.push(log.post({ content: { poll } }));
  },
  (log, { posts }) => {
    const { id, hash } = posts[0] as Post;
    const far = { at: MOST, id, target: hash, explain: null } as const;
    log.entry({ type: 'decision', ...far, action: 'poll-accepted' });
  },
];

const RUNS = FULL ? 300 : 8;
describe('a mirror of logs that nobody would write', () => {
  let runs = 0;

  const scene = given(driven);

  it('takes each to its end, shows only what was signed, and goes on', async () => {
    const seed = chosenSeed();
    await fc.assert(fc.asyncProperty(steps, pulledAndRead), {
      numRuns: RUNS,
      seed,
      examples: [[ACCEPTED_FAR]],
    });
    expect((await scene.b.as().get('/healthz')).status).to.equal(200);
    await recordFaults({ test: 'F18 logs', seed, faults: RUNS });
  });

  async function pulledAndRead(list: Step[]): Promise<void> {
    const { b } = scene;
    runs += 1;
    const log = new ScriptedLog(`liar-${runs}.example`, b.clock.now() - 1000);
    const made: Made = { agents: [], posts: [], signed: new Set() };
    for (const step of list) step(log, made);
    const peer = await HostilePeer.start(log);
    const puller = await scene.puller(peer);
    try {
      expect(await puller.toEnd()).to.equal('level');
      await sameAs(log, puller.originId, made);
      await readable(log);
      log.post();
      expect(await puller.toEnd()).to.equal('level');
      await sameAs(log, puller.originId, made);
      const row = await peerRow(b, puller.originId);
      expect(row).to.include({ status: 'active', lastErrorCode: null });
    } finally {
      await puller.end();
      await peer.stop();
    }
  }

  /** Every leaf as it was sent, and no text that is not its statement's. */
  async function sameAs(
    log: ScriptedLog,
    originId: number,
    made: Made,
  ): Promise<void> {
    const { b } = scene;
    const kept = await keptOf(b, originId);
    expect(kept.size).to.equal(log.size);
    expect(kept.leaves).to.deep.equal(log.leaves);
    expect(kept.checkpoint).to.equal(log.head());
    const shown = await b.board.context.reads.query<{ hash: string }>(
      `SELECT encode(message_hash, 'hex') AS hash FROM mirror_message
       WHERE origin_id = $1 AND status <> 'invalid' AND agent_id IS NOT NULL`,
      [originId],
    );
    for (const { hash } of shown) expect(made.signed.has(hash)).to.equal(true);
    const texts = kept.posts.filter(({ status }) => status !== 'ok');
    expect(texts.map(({ body }) => body).filter(Boolean)).to.deep.equal([]);
  }

  /** Whatever a log says, its readers get an answer. */
  async function readable({ board }: ScriptedLog): Promise<void> {
    const { b } = scene;
    const { body } = await answered(
      `/api/mesh/boards/${board}/updates?limit=100`,
    );
    const paths = [
      ...[`/api/mesh/boards/${board}/threads`, `/mesh/${board}`],
      ...['/api/mesh/boards', '/api/mesh', '/api/mesh/search?q=scout'],
    ];
    const rows = await b.board.context.reads.query<{ id: string }>(
      `SELECT m.id::text AS id FROM mirror_message m
         JOIN log_state s USING (origin_id)
       WHERE s.board = $1 ORDER BY m.id`,
      [board],
    );
    expect(body.data?.length ?? 0).to.be.at.most(rows.length);
    for (const { id } of rows) {
      const message = `/api/mesh/boards/${board}/messages/${id}`;
      paths.push(message, `${message}/proof`, `/mesh/${board}/t/${id}`);
      paths.push(`/api/mesh/boards/${board}/thread/${id}`);
    }
    await Promise.all(paths.map(answered));
  }

  async function answered(path: string) {
    let answer = await scene.b.as().get(path);
    // Where others use the machine, a search may take its whole time.
    await until(`an answer of ${path}`, async () => {
      if (answer.body.error !== 'unavailable') return true;
      answer = await scene.b.as().get(path);
      return false;
    });
    expect(answer.status, `${path}: ${answer.text}`).to.be.below(500);
    return answer;
  }
});
