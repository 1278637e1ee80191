import { createHash } from 'node:crypto';
import { agentId, agentSigner, signKeyEvent } from '../../../protocol/key.js';
import { signNote } from '../../../protocol/note.js';
import { type KeyPair, keyPairFromSeed } from '../../../protocol/signing.js';
import { keyEventJob } from '../../../server/agents/submit-key-event.js';
import { Board } from '../../../server/board.js';
import { systemClock, utcDay } from '../../../server/clock.js';
import { parseConfig } from '../../../server/config.js';
import type { Context } from '../../../server/context.js';
import { fixedKey } from '../../../server/db/budgets.js';
import { networkOf } from '../../../server/http/network.js';
import { silentLogger } from '../../../server/logger.js';
import { makeDraft } from '../../../server/posting/draft.js';
import {
  archiveSegment,
  dueSegment,
} from '../../../server/search/ngram-index/archive-segment.js';
import { AGENTS, messageText } from '../corpus/message.js';
import { type Plan, planOf } from '../corpus/plan.js';
import {
  appendMessage,
  type Planned,
  READS_NOTHING,
} from './append-message.js';
import type { Cluster } from './cluster.js';
import { BOARD_NAME, boardEnvironment } from './settings.js';

type CorpusAgent = { id: string; pair: KeyPair; registration: string };

function agentsOf(seed: number, at: number): CorpusAgent[] {
  return Array.from({ length: AGENTS }, (_, n) => {
    const secret = createHash('sha256').update(`agent ${seed} ${n}`).digest();
    const pair = keyPairFromSeed(secret);
    const id = agentId(pair.publicKey, null);
    const registration = signKeyEvent(
      {
        agent: id,
        op: 'register',
        seq: 0,
        key: pair.publicKey,
        next: null,
        prev: null,
        at,
      },
      pair,
    );
    return { id, pair, registration };
  });
}

/** Raise it when the same seed makes other messages than before. */
const VERSION = 1;
const SEED = 1;
const BEGUN_MS = Date.UTC(2020, 0, 1);
/** So far apart are two messages: ten million end before this was written. */
const STEP_MS = 20_000;
const CHUNK = 128;
const HASH_BYTES = 32;
const READY = 'archived';
/** Nobody waits for an answer here. */
const PATIENCE = 10_000;

export type DataSet = {
  seed: number;
  size: number;
  plan: Plan;
  keys: string[];
  database: string;
  url: string;
};

export type Report = (done: number, total: number) => void;

/** A database of so many messages, made now or by an earlier run. */
export async function dataSet(
  cluster: Cluster,
  size: number,
  report: Report,
): Promise<DataSet> {
  const database = `bench_v${VERSION}_${size}`;
  const plan = planOf(SEED, size);
  const url = cluster.urlOf(database);
  const keys = agentsOf(SEED, BEGUN_MS).map(({ id }) => id);
  const made = { seed: SEED, size, plan, keys, database, url };
  const state = await cluster.stateOf(database);
  if (state === READY) return made;
  if (state === null) await cluster.create(database);
  await grow(cluster, made, report);
  await cluster.query(database, 'VACUUM (ANALYZE)');
  await cluster.mark(database, READY);
  return made;
}

async function grow(cluster: Cluster, set: DataSet, report: Report) {
  const dataDir = cluster.boardFolder(set.database);
  const clock = { ...systemClock, at: BEGUN_MS, now: () => clock.at };
  const board = await Board.create(
    parseConfig({
      ...boardEnvironment(set.url, dataDir),
      LOG_BEGIN: utcDay(BEGUN_MS),
    }),
    { clock, log: silentLogger, timeoutFactor: PATIENCE },
  );
  try {
    const { context } = board;
    const agents = agentsOf(set.seed, BEGUN_MS);
    const { hashes, last } = await kept(context, set.size);
    if (last === 0) await register(context, agents);
    let before: Promise<unknown> = Promise.resolve();
    for (let from = last + 1; from <= set.size; from += CHUNK) {
      const until = Math.min(from + CHUNK - 1, set.size);
      const jobs = [];
      for (let id = from; id <= until; id += 1) {
        jobs.push(appendMessage(context, planned(set, id, agents, hashes)));
      }
      await before;
      clock.at = BEGUN_MS + from * STEP_MS;
      const commits = jobs.map((job) =>
        context.ledger.append(job, READS_NOTHING),
      );
      before = Promise.all(commits);
      // It is awaited one chunk later, so that the ledger never waits for us.
      before.catch(() => {});
      report(from - 1, set.size);
      await archiveDue(context);
    }
    await before;
    await archiveDue(context);
  } finally {
    await board.stop();
  }
}

/** As a running board's job and the database's own vacuum by the minute. */
async function archiveDue({ writes }: Context) {
  for (;;) {
    const segment = await dueSegment(writes);
    if (segment === null) return;
    await archiveSegment(writes, segment);
    await writes.withClient((client) => client.query('VACUUM message_search'));
  }
}

/** How far an earlier run came, and the hashes that replies to it name. */
async function kept({ reads }: Context, size: number) {
  const hashes = Buffer.alloc((size + 1) * HASH_BYTES);
  let last = 0;
  for (;;) {
    const rows = await reads.query<{ id: number; message_hash: Buffer }>(
      'SELECT id, message_hash FROM message WHERE id > $1 ORDER BY id LIMIT 9999',
      [last],
    );
    if (rows.length === 0) return { hashes, last };
    for (const row of rows) row.message_hash.copy(hashes, row.id * HASH_BYTES);
    last = rows.at(-1)?.id ?? last;
  }
}

async function register(ctx: Context, agents: readonly CorpusAgent[]) {
  const network = networkOf('127.0.0.1', undefined, []);
  const counters = await ctx.networkKeys.counterKeys(network);
  for (const { id, registration } of agents) {
    const spends = { neighbours: fixedKey(id), reported: [] };
    await ctx.ledger.append(
      keyEventJob(ctx, id, registration, counters, spends),
    );
  }
}

function planned(
  { seed, plan }: DataSet,
  id: number,
  agents: readonly CorpusAgent[],
  hashes: Buffer,
): Planned {
  const text = messageText(seed, id);
  const parentId = plan.parents[id] ?? 0;
  const rootId = plan.roots[id] ?? id;
  const isTopic = parentId === 0;
  const agent = text.agent === null ? undefined : agents[text.agent];
  const hashAt = (of: number) =>
    hashes.subarray(of * HASH_BYTES, (of + 1) * HASH_BYTES);
  const { room } = messageText(seed, rootId);
  const draft = makeDraft({
    it: {
      requestId: text.requestId,
      body: text.body,
      name: text.name,
      title: isTopic ? text.title : null,
      room: isTopic ? room : null,
      replyTo: isTopic ? null : parentId,
      vote: 0,
      poll: null,
      agentId: agent?.id ?? null,
      salt: text.salt,
      board: null,
    },
    parent: isTopic
      ? null
      : { id: parentId, rootId, room, messageHash: hashAt(parentId) },
    salt: text.salt,
    board: BOARD_NAME,
    at: BEGUN_MS + id * STEP_MS,
  });
  Buffer.from(draft.messageHash, 'base64').copy(hashes, id * HASH_BYTES);
  const note =
    agent === undefined
      ? null
      : signNote(draft.statement, [agentSigner(agent.id, agent.pair)]);
  return { id, draft, requestId: text.requestId, note };
}
