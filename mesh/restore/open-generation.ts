import { logOrigin, parseLogOrigin } from '../../protocol/board-name.js';
import { type KeyChain, stepKeyChain } from '../../protocol/key.js';
import type { Signer } from '../../protocol/note.js';
import { formatVkey } from '../../protocol/vkey.js';
import { assertNoNode } from '../../server/cli/node.sql.js';
import type { Clock } from '../../server/clock.js';
import { type Config, ConfigError } from '../../server/config.js';
import { AgentKey, AgentKeyEvent } from '../../server/db/entities/agent-key.js';
import {
  LogCheckpoint,
  LogCosignature,
  LogEntry,
  LogNode,
  LogState,
} from '../../server/db/entities/log.js';
import { Peer } from '../../server/db/entities/peer.js';
import { nextId } from '../../server/db/next-id.sql.js';
import type { Database, Tx } from '../../server/db/sql.js';
import { type Job, runBatch } from '../../server/ledger/append.js';
import { boardKeys } from '../../server/ledger/board-keys.js';
import { beginLog } from '../../server/ledger/genesis.js';
import { lockGenesis } from '../../server/ledger/head.sql.js';
import { appendKeyStep, readKeyEvents } from '../../server/ledger/key-state.js';
import { OWN_LOG } from '../../server/ledger/own-log.sql.js';
import {
  appendIdentity,
  type BoardIdentity,
  formerLogKeys,
  identityFacts,
} from '../../server/ledger/record-identity.js';
import { openPartitions } from '../peers/peers.sql.js';
import { copyKeys } from './generation.sql.js';

export type LogPast = {
  board: string;
  origin: string;
  lastMessageId: number;
  /** Of its newest identity; -1: unknown. */
  identitySeq: number;
  /** A mirror has shown it under its own signature. */
  witnessed: boolean;
  /** Did not answer and may have seen more. */
  silent: readonly string[];
  /** From rows, peers or mirrors, or null. */
  logVkey: string | null;
};

export type OpenedGeneration = Awaited<ReturnType<typeof openGeneration>>;

/** IDs that may have been given unseen. */
export const UNSEEN = 1_000_000;

const OWN = { originId: OWN_LOG };

/** Its number, and its first ID. */
export function nextGeneration(past: LogPast) {
  const generation = (parseLogOrigin(past.origin)?.generation ?? 1) + 1;
  const unseen = past.witnessed ? 0 : UNSEEN;
  return {
    generation,
    origin: logOrigin(past.board, generation),
    unseen,
    lastMessageId: past.lastMessageId + unseen,
  };
}

/** Null where no IDs are left out. */
export function whyUnseen({ witnessed, silent }: LogPast): string | null {
  if (witnessed) return null;
  return silent.length === 0
    ? 'no mirror shows which IDs were given last'
    : `${silent.join(', ')} did not answer and may have seen later ones`;
}

/**
 * Closes the log and opens `<name>/log<n>` (spec/mesh.md §B1) in one
 * transaction: old rows move to an origin id of their own; the new log begins
 * with identity and agents' keys. Its first post has the highest known ID plus
 * 1, or 1,000,000 more where no mirror witnessed the end.
 * @param ending seed and log to continue; `formerKey`: a log key that the
 *   settings lack, in hex, for the identity that peers follow
 * @throws ConfigError where two of the board's keys would be equal,
 *   CommandFailure where a node runs
 */
export async function openGeneration(
  db: Database,
  config: Config,
  clock: Clock,
  ending: {
    boardSeed: string;
    past: LogPast;
    formerKey: string | null;
    /** Writes the trail in the same transaction. */
    note: (tx: Tx, made: BoardIdentity) => Promise<void>;
  },
) {
  const { boardSeed, past, formerKey } = ending;
  const seeds = { ...config, boardSeed };
  const { generation, origin, unseen, lastMessageId } = nextGeneration(past);
  const keys = boardKeys(seeds, past.board, origin);
  const own: BoardIdentity = { board: past.board, origin, keys };
  return await db.transaction(async (tx) => {
    await lockGenesis(tx);
    await assertNoNode(tx);
    const { manager } = tx;
    const old = await manager.findOne(LogState, {
      where: OWN,
      lock: { mode: 'pessimistic_write' },
    });
    if (old !== null && old.generation >= generation) {
      throw new ConfigError([
        `Another command began ${old.origin} meanwhile; nothing was changed.`,
      ]);
    }
    const hasEntries = old !== null && old.size > 0;
    const closed = hasEntries ? await close(tx, clock.now()) : null;
    if (closed === null) await manager.delete(LogState, OWN);
    const lastAt = old?.lastAt ?? 0;
    await beginLog(tx, own, { lastMessageId, lastAt });
    // Acknowledgements and anchors are the old log's.
    await manager
      .createQueryBuilder()
      .update(Peer)
      .set({ ackedSize: 0, ackedAt: null, anchoredSize: 0, anchoredAt: null })
      .execute();
    const former = await formerLogKeys(tx, seeds, own, formerKey);
    const seq = past.identitySeq + 1 + unseen;
    const identity = { ...identityFacts(own, config.baseUrl), seq };
    requireDifferentKeys(own);
    await appendIdentity(tx, own, identity, former, clock);
    const agents =
      closed === null ? 0 : await carryKeys(tx, closed, clock, keys.log);
    const now = await manager.findOneBy(LogState, OWN);
    await ending.note(tx, own);
    return {
      ...own,
      generation,
      firstMessageId: lastMessageId + 1,
      size: now?.size ?? 0,
      /** Readable entries of the closed log; 0: its rows are lost. */
      closedSize: closed === null ? 0 : (old?.size ?? 0),
      agents,
      /** The former log key signed it: peers confirm at once. */
      followed: former.some(({ vkey }) => formatVkey(vkey) === past.logVkey),
    };
  });
}

async function close(tx: Tx, now: number): Promise<number> {
  const id = await nextId(tx, 'log_origin');
  const { manager } = tx;
  await openPartitions(tx, id);
  await manager.update(LogState, OWN, { originId: id, closedAt: now });
  for (const table of [LogEntry, LogNode, LogCheckpoint, LogCosignature]) {
    await manager.update(table, OWN, { originId: id });
  }
  // Keys refer to events, so events go last.
  await copyKeys(tx, OWN_LOG, id);
  await manager.delete(AgentKey, OWN);
  await manager.delete(AgentKeyEvent, OWN);
  return id;
}

function requireDifferentKeys({ keys: { log, mirror, node } }: BoardIdentity) {
  const distinct = new Set(
    [log, mirror, node].map(({ vkey }) =>
      Buffer.from(vkey.publicKey).toString('hex'),
    ),
  );
  if (distinct.size === 3) return;
  throw new ConfigError([
    'The log, mirror and node keys must be three different ones; set BOARD_LOG_KEY, BOARD_MIRROR_KEY and BOARD_NODE_KEY to different values, or leave them out.',
  ]);
}

const AT_ONCE = 200;

/** Key events prove themselves (spec/mesh.md §B2). Returns the agents. */
async function carryKeys(
  tx: Tx,
  closedOriginId: number,
  clock: Clock,
  logKey: Signer,
): Promise<number> {
  const agents = await tx.manager
    .createQueryBuilder(AgentKeyEvent, 'event')
    .select('event.agentId', 'agent')
    .where({ originId: closedOriginId })
    .groupBy('event.agentId')
    .orderBy('min(event.idx)')
    .getRawMany<{ agent: string }>();
  const jobs = agents.map(({ agent }) => {
    return { run: carry(closedOriginId, agent) };
  });
  for (let at = 0; at < jobs.length; at += AT_ONCE) {
    await runBatch(tx, jobs.slice(at, at + AT_ONCE), { clock, logKey });
  }
  return agents.length;
}

function carry(closedOriginId: number, agent: string): Job<unknown> {
  return async (context) => {
    const events = await readKeyEvents(context.tx, closedOriginId, agent);
    let chain: KeyChain | null = null;
    for (const { note } of events) {
      const stepped = stepKeyChain(chain, note);
      if (!stepped.ok || stepped.value.kind === 'repeat') {
        throw new Error(`a stored key event of ${agent} does not stand`);
      }
      chain = stepped.value.chain;
      await appendKeyStep(context, stepped.value);
    }
    return () => undefined;
  };
}
