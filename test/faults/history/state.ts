import { checkLedger } from '../../support/check-ledger.js';
import { readerOf } from '../../support/log-reader.js';

export type Row = {
  id: number;
  request_id: string;
  body: string | null;
  title: string | null;
  reply_to: number | null;
  created_at: number;
  score: number;
  message_hash: string;
  log_index: number;
};

export type State = {
  messages: Row[];
  receipts: { request_id: string; message_id: number; receipt: string }[];
  votes: { message_id: number; votes: number; voters: number; sum: number }[];
  polls: { id: number; closes_at: number; counts: number[]; voters: number }[];
  ballots: { poll_id: number; choice: number; at: number }[];
  events: { id: number; poll_id: number; kind: string }[];
  /** What verifying the public log said: null when all is well. */
  logFault: string | null;
  logged: { id: number; requestId: string; messageHash: string }[];
  /** What read paths show, for removed texts. */
  pages: { path: string; text: string }[];
};

const TABLES = {
  messages: `SELECT id::int, request_id, body, title, reply_to::int,
      created_at::float8, score, encode(message_hash, 'base64') AS message_hash,
      log_index::int FROM message ORDER BY id`,
  receipts: 'SELECT request_id, message_id::int, receipt FROM write_request',
  votes: `SELECT message_id::int, count(*)::int AS votes,
      count(DISTINCT voter)::int AS voters, sum(value)::int AS sum
      FROM vote GROUP BY message_id`,
  polls: 'SELECT id::int, closes_at::float8, counts, voters FROM poll',
  ballots: 'SELECT poll_id::int, choice, at::float8 FROM ballot',
  events: 'SELECT id::int, poll_id::int, kind FROM poll_event ORDER BY id',
} as const;

const PAGES = [
  '/api/updates?limit=100',
  '/api/threads?visibility=all&limit=100',
  '/api/brief',
  '/api/top',
  '/all.txt',
  '/feed.atom',
  '/feed.json',
  '/',
];

export type Query = (sql: string) => Promise<unknown[]>;

/** Rows by SQL, the log as a stranger reads it, and what lists show. */
export async function readState(url: string, query: Query): Promise<State> {
  const tables: Record<string, unknown[]> = {};
  for (const [name, sql] of Object.entries(TABLES)) {
    tables[name] = await query(sql);
  }
  const log = await readLog(url);
  const pages = await readPages(url);
  return { ...(tables as Pick<State, keyof typeof TABLES>), ...log, pages };
}

async function readLog(
  url: string,
): Promise<Pick<State, 'logFault' | 'logged'>> {
  try {
    const { posts } = await checkLedger({ url });
    return { logFault: null, logged: posts };
  } catch (error) {
    const logFault = error instanceof Error ? error.message : String(error);
    return { logFault, logged: [] };
  }
}

async function readPages(url: string): Promise<State['pages']> {
  const reader = readerOf(url);
  const read = async (path: string) => {
    const text = await (await reader.get(path)).text();
    return { path, text };
  };
  return await Promise.all(PAGES.map(read));
}
