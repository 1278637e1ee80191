import { Grouped } from '../db/grouped.js';
import type { Sql } from '../db/sql.js';
import { BoardError } from '../errors.js';
import { moderationUrl } from '../http/urls.js';
import { voterHash } from '../tickets/network-hash.js';

export type VoteTarget = {
  voter: Buffer;
  /** What this network has voted already. */
  existing: -1 | 1 | null;
};

type Secret = { id: number; secret: Buffer; removed: boolean };
type Voter = { messageId: number; voter: Buffer };

/** What previews of ratings look up; those at one moment share a statement. */
export type VoteLookups = {
  secrets: Grouped<number, Secret | undefined>;
  standing: Grouped<Voter, -1 | 1 | null>;
};

export function voteLookups(sql: Sql): VoteLookups {
  return {
    secrets: new Grouped((ids) => readSecrets(sql, ids)),
    standing: new Grouped((voters) => readStanding(sql, voters)),
  };
}

async function readSecrets(
  sql: Sql,
  ids: readonly number[],
): Promise<(Secret | undefined)[]> {
  const rows = await sql.query<Secret>(
    `SELECT id, vote_secret AS secret, removed_at IS NOT NULL AS removed
     FROM message WHERE id = ANY($1::bigint[])`,
    [ids],
  );
  const found = new Map(rows.map((row) => [row.id, row]));
  return ids.map((id) => found.get(id));
}

async function readStanding(
  sql: Sql,
  voters: readonly Voter[],
): Promise<(-1 | 1 | null)[]> {
  const rows = await sql.query<{ ord: number; value: -1 | 1 }>(
    `SELECT a.ord, v.value
     FROM unnest($1::bigint[], $2::bytea[]) WITH ORDINALITY
         AS a (message_id, voter, ord)
       CROSS JOIN LATERAL (SELECT value FROM vote
         WHERE message_id = a.message_id AND voter = a.voter OFFSET 0) v`,
    [
      voters.map(({ messageId }) => messageId),
      voters.map(({ voter }) => voter),
    ],
  );
  const found = new Map(rows.map(({ ord, value }) => [ord, value]));
  return voters.map((_, at) => found.get(at + 1) ?? null);
}

/**
 * Who the network is to this message and what it has voted.
 * @throws BoardError `message_not_found`, also for a removed one.
 */
export async function voteTarget(
  { secrets, standing }: VoteLookups,
  messageId: number,
  voterKey: Buffer,
  network: Uint8Array,
  baseUrl: string,
): Promise<VoteTarget> {
  const message = await secrets.add(messageId);
  if (message === undefined) throw noSuchMessage();
  if (message.removed) throw removedMessage(baseUrl, messageId);
  const voter = voterHash(voterKey, message.secret, network);
  return { voter, existing: await standing.add({ messageId, voter }) };
}

export function noSuchMessage(): BoardError {
  return new BoardError(
    'message_not_found',
    'No message of this board has this ID; rate one that its reads show.',
  );
}

export function removedMessage(baseUrl: string, id: number): BoardError {
  return new BoardError(
    'message_not_found',
    `Message ${id} was removed and takes no more ratings; moderation_url tells by which decision.`,
    { moderation_url: moderationUrl(baseUrl, id) },
  );
}
