import { logOrigin, parseLogOrigin } from '../../protocol/board-name.js';
import {
  type Identity,
  openIdentity,
  signIdentity,
} from '../../protocol/identity.js';
import { NOTE_SIGNATURES } from '../../protocol/limits.js';
import type { Signer } from '../../protocol/note.js';
import { formatVkey } from '../../protocol/vkey.js';
import type { Clock } from '../clock.js';
import { type Config, ConfigError, defaultBaseUrl } from '../config.js';
import { LogState } from '../db/entities/log.js';
import type { Sql, Tx } from '../db/sql.js';
import { runBatch } from './append.js';
import { type BoardKeys, boardKeys } from './board-keys.js';
import { closedLogs, OWN_LOG } from './own-log.sql.js';

export type BoardIdentity = { board: string; origin: string; keys: BoardKeys };

type Seeds = Pick<Config, 'logKey' | 'mirrorKey' | 'nodeKey' | 'dataDir'> & {
  boardSeed: string;
};

export function identityFacts(
  { board, origin, keys }: BoardIdentity,
  baseUrl: string,
): Omit<Identity, 'seq' | 'at'> {
  return {
    name: board,
    url: baseUrl,
    origin,
    log: formatVkey(keys.log.vkey),
    mirror: formatVkey(keys.mirror.vkey),
    node: formatVkey(keys.node.vkey),
  };
}

/** The stored note also has lines of former log keys (§B4). */
export async function appendIdentity(
  tx: Tx,
  own: BoardIdentity,
  identity: Omit<Identity, 'at'>,
  former: readonly Signer[],
  clock: Clock,
): Promise<void> {
  const { log, node } = own.keys;
  await runBatch(
    tx,
    [
      {
        run: async (context) => {
          const { at } = context;
          const stated: Identity = { ...identity, at };
          const embedded = signIdentity(stated, log, node);
          context.append({ type: 'board', at, embedded });
          await tx.manager.update(
            LogState,
            { originId: OWN_LOG },
            { identity: signIdentity(stated, log, node, ...former) },
          );
          return () => undefined;
        },
      },
    ],
    { clock, logKey: log },
  );
}

/** Appends a changed identity, unless `mayAppend` refuses. */
export async function recordIdentity(
  tx: Tx,
  kept: string,
  own: BoardIdentity,
  config: Config,
  seeds: Seeds,
  clock: Clock,
  mayAppend: () => Promise<boolean>,
): Promise<void> {
  const before = openIdentity(kept);
  const facts = identityFacts(own, config.baseUrl);
  const stated = before.ok ? before.value : null;
  if (CHANGEABLE.every((fact) => stated?.[fact] === facts[fact])) return;
  if (!(await mayAppend())) return;
  if (stated !== null) checkAddress(stated, config);
  const seq = stated === null ? 0 : stated.seq + 1;
  const former = await formerLogKeys(tx, seeds, own);
  await appendIdentity(tx, own, { ...facts, seq }, former, clock);
}

const CHANGEABLE = ['url', 'mirror', 'node'] as const;

/** Not what a start without its settings would state to all boards for good. */
function checkAddress({ url }: Identity, { baseUrl, host, port }: Config) {
  const isLocal = /^http:\/\/(127\.|localhost(:|$))/.test(url);
  if (isLocal || baseUrl !== defaultBaseUrl(host, port)) return;
  throw new ConfigError([
    `BASE_URL is not set, and this board has signed ${url} as its address; set BASE_URL to it, or to the address that the board has now.`,
  ]);
}

const FORMER_KEYS = NOTE_SIGNATURES - 2;

/**
 * Former log keys in the settings: with their signatures a peer confirms once
 * (spec/mesh.md §B1). The newest that the note has room for. Generations
 * without rows are signed for, too: peers ignore lines of keys they do not
 * know.
 * @param sql null where there is no database.
 * @param kept a former key that the settings lack, as 64 hex digits.
 */
export async function formerLogKeys(
  sql: Sql | null,
  seeds: Seeds,
  { board, origin }: BoardIdentity,
  kept: string | null = null,
): Promise<Signer[]> {
  const generation = parseLogOrigin(origin)?.generation ?? 1;
  if (generation === 1) return [];
  const closed = sql === null ? [] : await closedLogs(sql);
  const known = new Map(closed.map((log) => [log.origin, log.logVkey]));
  const overrides = [seeds.logKey, null, kept];
  const found: Signer[] = [];
  for (let former = 1; former < generation; former += 1) {
    const name = logOrigin(board, former);
    const vkey = known.get(name);
    const signers = [...new Set(overrides)].map(
      (logKey) => boardKeys({ ...seeds, logKey }, board, name).log,
    );
    const fit = signers.filter(
      (signer) => vkey === undefined || formatVkey(signer.vkey) === vkey,
    );
    found.push(...fit);
  }
  return found.slice(-FORMER_KEYS);
}
