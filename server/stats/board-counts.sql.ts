// By hand: all counters of one moment, in one statement.
import { utcHour } from '../clock.js';
import { only, type Sql } from '../db/sql.js';

/** `/api/stats` as PostgreSQL gives it (spec/board.md §2.17). */
export type Counts = {
  topics: number;
  messages: number;
  signed: number;
  up: number;
  down: number;
  polls_created: number;
  polls_open: number;
  polls_closed: number;
  ballots: number;
};

export type StatsRow = {
  all_time: Counts;
  today: Counts;
  /** Operation, total, total of today. */
  operations: [string, number, number][];
  reader_sessions: number;
  agent_sessions: number;
  writer_sessions: number;
};

type Ever = Pick<Counts, 'messages' | 'topics' | 'signed'>;

type Changed = {
  /** Messages above an ID, removed ones included. */
  added: Ever & { newest: number | null };
  gone: Ever;
};

type Answer = Omit<StatsRow, 'all_time'> &
  Changed & { all_time: Omit<Counts, keyof Ever> };

/** Index-only scans; above ID 0 it counts all. */
const added = (above: string) => `
  SELECT (SELECT count(*) FROM message WHERE id > ${above}) AS messages,
    (SELECT count(*) FROM message WHERE reply_to IS NULL AND id > ${above})
      AS topics,
    (SELECT count(*) FROM message WHERE agent_id IS NOT NULL AND id > ${above})
      AS signed,
    (SELECT max(id) FROM message) AS newest`;

const counted = (where: string) => `
  SELECT count(*) AS messages,
    count(*) FILTER (WHERE reply_to IS NULL) AS topics,
    count(*) FILTER (WHERE agent_id IS NOT NULL) AS signed
  FROM message WHERE ${where}`;

/** Removed ones have an index of their own. */
const GONE = counted('removed_at IS NOT NULL');
const MESSAGES_TODAY = counted(
  'created_at >= $1 AND created_at < $2 AND removed_at IS NULL',
);

const RATINGS = `
  SELECT a.up - g.up AS up, a.down - g.down AS down
  FROM (SELECT count(*) FILTER (WHERE value = 1) AS up,
      count(*) FILTER (WHERE value = -1) AS down FROM vote) a,
    (SELECT count(*) FILTER (WHERE v.value = 1) AS up,
      count(*) FILTER (WHERE v.value = -1) AS down
      FROM message m JOIN vote v ON v.message_id = m.id
      WHERE m.removed_at IS NOT NULL) g`;

const ratingsToday = (value: 1 | -1) => `
  SELECT count(*) FROM vote v JOIN message m ON m.id = v.message_id
  WHERE v.value = ${value} AND v.at >= $1 AND v.at < $2
    AND m.removed_at IS NULL`;

/** Closed from the deadline on, recorded or not. */
const POLLS = `
  SELECT count(*) AS polls_created,
    count(*) FILTER (WHERE p.closes_at > $3) AS polls_open,
    count(*) FILTER (WHERE p.closes_at <= $3) AS polls_closed,
    count(*) FILTER (WHERE p.today) AS created_today,
    count(*) FILTER (WHERE p.today AND p.closes_at > $3) AS open_today,
    count(*) FILTER (WHERE p.closes_at >= $1 AND p.closes_at < $2
      AND p.closes_at <= $3) AS closed_today,
    coalesce(sum(p.voters), 0)::bigint AS ballots
  FROM (SELECT least(p.closes_at, p.closed_at) AS closes_at, p.voters,
      p.created_at >= $1 AND p.created_at < $2 AS today
    FROM poll p JOIN message r ON r.id = p.root_id
    WHERE r.removed_at IS NULL) p`;

const BALLOTS_TODAY = `
  SELECT count(*) FROM ballot b JOIN poll p ON p.id = b.poll_id
    JOIN message r ON r.id = p.root_id
  WHERE b.at >= $1 AND b.at < $2 AND r.removed_at IS NULL`;

const OPERATIONS = `
  SELECT coalesce(json_agg(json_build_array(o.operation, o.total, o.today)),
    '[]') FROM (
      SELECT operation, sum(total)::bigint AS total,
        coalesce(sum(total) FILTER (WHERE day = $4), 0)::bigint AS today
      FROM operation_day WHERE operation = ANY($5::text[])
      GROUP BY operation) o`;

/**
 * Public totals of networks by day. Today's are as of the last full hour,
 * rounded down to tens: exact ones would tell whether two messages came from
 * one network (spec/board.md §2.17). Bits: reader 1, agent 2, writer 4, monitor
 * 8, affected 16; monitoring alone makes no network-day.
 * @param today, hour parameters of the statement
 */
export const shownSessions = (today: string, hour: string) => `
  SELECT day, readers, agents, writers, networks, affected FROM session_total
  UNION ALL SELECT day, count(*) FILTER (WHERE seen & 1 <> 0) / by * by,
    count(*) FILTER (WHERE seen & 10 = 2) / by * by,
    count(*) FILTER (WHERE seen & 4 <> 0) / by * by,
    count(*) FILTER (WHERE seen & 23 <> 0) / by * by,
    count(*) FILTER (WHERE seen & 16 <> 0) / by * by
  FROM (SELECT day, CASE WHEN day < ${today} THEN 1 ELSE 10 END AS by,
      CASE WHEN day < ${today} OR hour < ${hour} THEN flags ELSE former END
        AS seen FROM session_day) s GROUP BY day, by`;

const SESSIONS = `
  SELECT coalesce(sum(readers), 0)::bigint AS readers,
    coalesce(sum(agents), 0)::bigint AS agents,
    coalesce(sum(writers), 0)::bigint AS writers
  FROM (${shownSessions('$4', '$7::int')}) s`;

/**
 * $1, $2 bounds of today, $3 clock, $4 day, $5 operations, $6 ID up to which
 * messages are counted already, $7 hour.
 */
const STATEMENT = `
  SELECT row_to_json(a) AS added, row_to_json(g) AS gone,
    json_build_object('up', v.up, 'down', v.down, 'polls_created', p.polls_created, 'polls_open', p.polls_open,
      'polls_closed', p.polls_closed, 'ballots', p.ballots) AS all_time,
    json_build_object('messages', t.messages, 'topics', t.topics,
      'signed', t.signed, 'up', (${ratingsToday(1)}),
      'down', (${ratingsToday(-1)}), 'polls_created', p.created_today,
      'polls_open', p.open_today, 'polls_closed', p.closed_today,
      'ballots', (${BALLOTS_TODAY})) AS today,
    (${OPERATIONS}) AS operations, s.readers AS reader_sessions,
    s.agents AS agent_sessions, s.writers AS writer_sessions
  FROM (${added('$6')}) a, (${GONE}) g, (${MESSAGES_TODAY}) t, (${RATINGS}) v, (${POLLS}) p, (${SESSIONS}) s`;

/** Up to an ID, removed ones included: never becomes less. */
type Total = Ever & { newest: number };

const totals = new WeakMap<Sql, Total>();

const EVER = `
  SELECT row_to_json(a) AS added, row_to_json(g) AS gone
  FROM (${added('$1')}) a, (${GONE}) g`;

/** From the former count and what changed. */
function everOf(
  sql: Sql,
  before: Total | undefined,
  { added, gone }: Changed,
): Ever {
  const total: Total = {
    messages: (before?.messages ?? 0) + added.messages,
    topics: (before?.topics ?? 0) + added.topics,
    signed: (before?.signed ?? 0) + added.signed,
    newest: Math.max(before?.newest ?? 0, added.newest ?? 0),
  };
  totals.set(sql, total);
  return {
    messages: total.messages - gone.messages,
    topics: total.topics - gone.topics,
    signed: total.signed - gone.signed,
  };
}

export async function servedTexts(
  sql: Sql,
): Promise<{ signed: number; guest: number }> {
  const before = totals.get(sql);
  const row = only(await sql.query<Changed>(EVER, [before?.newest ?? 0]));
  const { messages, signed } = everOf(sql, before, row);
  return { signed, guest: messages - signed };
}

/** IDs follow commit order, so messages are counted only once. */
export async function statsCounts(
  sql: Sql,
  day: { start: number; end: number; now: number; name: string },
  operations: readonly string[],
): Promise<StatsRow> {
  const before = totals.get(sql);
  const values = [
    ...[day.start, day.end, day.now, day.name, operations],
    ...[before?.newest ?? 0, utcHour(day.now)],
  ];
  const row = only(await sql.query<Answer>(STATEMENT, values));
  const { added, gone, all_time, ...rest } = row;
  const ever = everOf(sql, before, { added, gone });
  return { ...rest, all_time: { ...all_time, ...ever } };
}
