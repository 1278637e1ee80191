import type { PoolClient } from 'pg';
import type {
  BundleSource,
  SourceEntry,
} from '../../client/export/bundle-source.js';
import type { PollContent } from '../../protocol/content.js';
import { parseConfig } from '../config.js';
import { rolledBack, run } from '../db/sql.js';
import { OWN_LOG } from '../ledger/nodes.js';
import { pollContentOfRoot } from '../polls/poll-row.js';
import { CommandFailure } from './failure.js';
import { requireMigrated, withOwnDatabase } from './tool-database.js';

type Row = {
  leaf: Buffer;
  salt: Buffer | null;
  author: string | null;
  title: string | null;
  body: string | null;
  poll: PollContent | null;
};

const ENTRIES = `SELECT e.leaf, m.salt, m.author, m.title, m.body,
    ${pollContentOfRoot('m')} AS poll
  FROM log_entry e
    LEFT JOIN message m ON m.id = e.message_id AND e.type = 'post'
  WHERE e.origin_id = $1 AND e.idx >= $2 AND e.idx < $3 ORDER BY e.idx`;

function entryOf({ leaf, salt, author, title, body, poll }: Row): SourceEntry {
  if (salt === null || author === null || body === null) {
    return { leaf, content: null };
  }
  const content = {
    salt,
    name: author,
    ...(title === null ? {} : { title }),
    body,
    ...(poll === null ? {} : { poll }),
  };
  return { leaf, content };
}

function sourceIn(client: PoolClient): BundleSource {
  return {
    checkpoint: async () => {
      const [head] = await run<{ checkpoint: string }>(
        client,
        'SELECT checkpoint FROM log_state WHERE origin_id = $1',
        [OWN_LOG],
      );
      if (head === undefined) throw new CommandFailure('There is no log yet.');
      return head.checkpoint;
    },
    entries: async (from, until) => {
      const rows = await run<Row>(client, ENTRIES, [OWN_LOG, from, until]);
      if (rows.length > 0) return rows.map(entryOf);
      throw new CommandFailure(
        `The log lacks entry ${from}; run "reserve-board doctor".`,
      );
    },
  };
}

/** The node's own log, as one snapshot: nothing changes while it is read. */
export async function withOwnLog<T>(
  work: (source: BundleSource) => Promise<T>,
): Promise<T> {
  const config = parseConfig(process.env);
  return await withOwnDatabase(config, async (db) => {
    await requireMigrated(db);
    return await db.withClient(async (client) => {
      await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
      try {
        return await work(sourceIn(client));
      } finally {
        await rolledBack(client);
      }
    });
  });
}
