import { Bulk, BulkItem } from '../../server/db/entities/bulk.js';
import { SavedView, SubjectNote } from '../../server/db/entities/dashboard.js';
import {
  Decision,
  DecisionTemplate,
} from '../../server/db/entities/decision.js';
import { Evidence } from '../../server/db/entities/mirror.js';
import {
  NotificationChannel,
  NotificationDelivery,
} from '../../server/db/entities/notification.js';
import { Alarm, JobRun } from '../../server/db/entities/operations.js';
import {
  Operator,
  OperatorInvite,
  OperatorPasskey,
} from '../../server/db/entities/operator.js';
import {
  OperatorAudit,
  OperatorSession,
} from '../../server/db/entities/operator-session.js';
import { Peer } from '../../server/db/entities/peer.js';
import { UsefulnessReport } from '../../server/db/entities/stats.js';
import { WatchRule } from '../../server/db/entities/watch-rule.js';
import type { TestBoard } from '../support/board.js';
import { publish } from '../support/post.js';
import { randomBytes, randomUUID } from '../support/random.js';
import { rows } from '../support/rows.js';

// Rows with texts of strangers, as if nothing had looked at them before they
// were stored.

type Texts = readonly string[];

const HOUR_MS = 3_600_000;
const FIRST = 1000;
const ZEROS = Buffer.alloc(32);

export const short = (text: string, codePoints: number) =>
  [...text].slice(0, codePoints).join('');
/** What the database itself takes for no text. */
export const storable = (text: string) => text.replaceAll('\0', '');

/**
 * Names of accounts that are something else elsewhere. The database's check
 * `operator_names` lets no other letters through than those of host names and
 * `_`, so this is the worst that a row can hold.
 */
const NAMES = [
  ...['constructor', 'tostring', 'valueof', 'hasownproperty', 'null', 'nan'],
  ...['undefined', 'true', '0', '1e309', 'a__proto__a', 'javascript..alert-1'],
  ...['www.evil.example', 'xn--pypal-4ve.example', 'scout.exe', 'a.-_-.a'],
];

export async function reportedRows(
  test: TestBoard,
  texts: readonly { title: string; name: string; body: string }[],
  visibility: 'visible' | 'hidden_by_ratings' = 'visible',
): Promise<number[]> {
  const { message } = await publish(test, { title: 'A topic' });
  const ids = texts.map((_, n) => FIRST + n);
  // Rows that were never published: no ledger has to hold them. By hand, as
  // ten thousand of them have more values than one statement may have.
  await test.board.context.writes.transaction(async (tx) => {
    await tx.query(
      `INSERT INTO message (id, root_id, room, title, author, body, salt,
         created_at, request_id, message_hash, log_index, vote_secret,
         last_activity_id, reply_to, visibility)
       SELECT id, id, 'lobby', title, author, body, '\\x00', $5,
         gen_random_uuid(), '\\x00', 1000000 + id, '\\x00', id, NULL, $6
       FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[])
         AS it (id, title, author, body)`,
      [
        ids,
        texts.map(({ title }) => title),
        texts.map(({ name }) => name),
        texts.map(({ body }) => body),
        test.clock.now() - message.id,
        visibility,
      ],
    );
    await tx.query(
      `INSERT INTO report (request_id, content_hash, kind, reason, message_id,
         detail, created_at, status_at)
       SELECT gen_random_uuid(), '\\x00', 'report', 'spam', id, detail, $3 + id,
         $3 + id
       FROM unnest($1::bigint[], $2::text[]) AS it (id, detail)`,
      [ids, texts.map(({ body }) => body), test.clock.now() - 1_000_000],
    );
  });
  return ids;
}

export async function deviceRows(
  test: TestBoard,
  operatorId: string,
  texts: Texts,
): Promise<void> {
  const now = test.clock.now();
  const passkeys = texts.map((text) => ({
    ...{ credentialId: randomBytes(32), publicKey: ZEROS, operatorId },
    ...{ counter: 0, transports: [text], label: text, createdAt: now },
  }));
  await rows(test).insert(OperatorPasskey, passkeys);
  const sessions = texts.map((text) => ({
    ...{ id: randomUUID(), tokenHash: randomBytes(32), operatorId },
    ...({ label: text, method: 'passkey', createdAt: now } as const),
    ...{ seenAt: now, expiresAt: now + HOUR_MS, credentialAt: now },
  }));
  await rows(test).insert(OperatorSession, sessions);
}

/** Links for new operators: the database has no check of their names. */
export async function inviteRows(test: TestBoard, texts: Texts): Promise<void> {
  const now = test.clock.now();
  const invites = texts.map((text) => ({
    ...({ codeHash: randomBytes(32), name: text, role: 'admin' } as const),
    ...{ createdAt: now, expiresAt: now + HOUR_MS },
  }));
  await rows(test).insert(OperatorInvite, invites);
}

export async function accountRows(
  test: TestBoard,
  aliases: Texts,
): Promise<Texts> {
  const accounts = aliases.map((text, n) => ({
    ...{ id: randomUUID(), name: NAMES[n] ?? `constructor.${n + 1}` },
    ...({ alias: short(`${n + 1}${text}`, 48), role: 'viewer' } as const),
    ...({ state: n % 2 === 0 ? 'active' : 'disabled' } as const),
    createdAt: test.clock.now(),
  }));
  await rows(test).insert(Operator, accounts);
  return NAMES.slice(0, aliases.length);
}

/** Jobs that have run, by names and with errors that no program gave them. */
export async function jobRows(
  test: TestBoard,
  texts: Texts,
  named = true,
): Promise<void> {
  const runs = texts.map((text, n) => ({
    ...{
      name: `${n + 1}${named ? text : ' job'}`,
      startedAt: test.clock.now(),
      durationMs: 1,
    },
    ...{ rows: 1, detail: text, error: text, failures: 1, instance: text },
  }));
  await rows(test).insert(JobRun, runs);
}

const hostileMetrics = (text: string) => ({
  ...{ keys: text, [text]: text },
  ['__proto__']: { constructor: text },
  errors: [{ operation: text, code: text, count: 1 }],
});

export async function draftRows(
  test: TestBoard,
  texts: Texts,
  publishedAt: number | null = null,
): Promise<void> {
  const drafts = texts.map((text, n) => ({
    ...{ id: n + 1, periodStart: 1, periodEnd: 2, note: text, publishedAt },
    ...{ operator: short(text, 48), createdAt: test.clock.now() },
    // The node itself names what it counts.
    metrics: publishedAt === null ? hostileMetrics(text) : {},
  }));
  await rows(test).insert(UsefulnessReport, drafts);
}

export async function decidedRows(
  test: TestBoard,
  messageId: number,
  texts: Texts,
): Promise<void> {
  const now = test.clock.now();
  const keep = { action: 'keep', reason: 'other' } as const;
  const decisions = texts.map((text, n) => ({
    ...{ ...keep, id: n + 1, messageId, explanation: text, privateNote: text },
    ...({ madeBy: 'operator', operator: short(text, 48) } as const),
    ...{ decidedAt: now, logIndex: 2_000_001 + n },
  }));
  await rows(test).insert(Decision, decisions);
  const named = new Map(texts.map((text) => [short(text, 60), text]));
  const templates = [...named].map(([name, text]) => ({
    ...{ ...keep, name, explanation: text },
    ...{ updatedAt: now, updatedBy: short(text, 48) },
  }));
  await rows(test).insert(DecisionTemplate, templates);
}

/** Boards and alarms named by texts; board `n` shows group `n` of them. */
export async function peerRows(
  test: TestBoard,
  texts: Texts,
  groups: Texts,
): Promise<void> {
  const now = test.clock.now();
  const names = texts.map((text, n) => short(`${n} ${text}`, 110));
  const peers = names.map((name, n) => {
    const text = groups[n] ?? texts[n] ?? '';
    return {
      ...{ originId: FIRST + 1 + n, name, origin: name },
      ...{ baseUrl: short(text, 70), logVkey: text, mirrorVkey: text },
      ...{ nodeVkey: text, identity: text, identitySeq: 0 },
      ...{ pendingIdentity: `log: ${text}`, addedAt: now, confirmedAt: now },
      ...({ status: 'active', trust: 'mirror', statusAt: now } as const),
      ...{ statusReason: short(text, 200), lastErrorCode: text },
      ...{ lastErrorAt: now, remoteSize: 10, remoteCheckpoint: text },
      ...{ remoteSeenAt: now - 5000, ackedSize: 1 },
    };
  });
  await rows(test).insert(Peer, peers);
  const alarms = names.map((subject, n) => ({
    ...{ kind: 'peer_degraded', subject, detail: texts[n] ?? '' },
    ...{ raisedAt: now, lastAt: now },
  }));
  await rows(test).insert(Alarm, alarms);
}

export async function evidenceRows(
  test: TestBoard,
  texts: Texts,
): Promise<void> {
  const evidence = texts.map((text) => ({
    ...{ sha256: randomBytes(32), origin: text, kind: text },
    bytes: Buffer.from(
      JSON.stringify({ log_vkey: text, first: text, second: text }),
    ),
    at: test.clock.now(),
  }));
  await rows(test).insert(Evidence, evidence);
}

/** What operators at scale leave: notes, views, rules, bulks, places, a trail. */
export async function operatorRows(
  test: TestBoard,
  operatorId: string,
  messageId: number,
  texts: Texts,
  action?: string,
): Promise<{ bulk: string }> {
  const now = test.clock.now();
  const all = texts.map((text, n) => ({
    ...{ text, n: n + 1, alias: short(text, 48), id: randomUUID() },
    name: short(`${n + 1}${text}`, 60),
  }));
  const notes = all.map(({ text, n, alias, id }) => ({
    ...{ id, messageId, note: short(text, 2000), operator: alias, at: now + n },
  }));
  await rows(test).insert(SubjectNote, notes);
  const views = all.slice(0, 20).map(({ text, name }) => ({
    ...{ operatorId, name, query: short(text, 2000), createdAt: now },
  }));
  await rows(test).insert(SavedView, views);
  const rules = all.map(({ text, name, alias, id }) => ({
    ...{ id, version: 1, name, paused: true, changedAt: now, changedBy: alias },
    rule: { kind: 'words', terms: [short(text, 80)] },
  }));
  await rows(test).insert(WatchRule, rules);
  const [bulk, why] = [randomUUID(), short(texts.join('\n'), 2000)];
  await rows(test).insert(Bulk, {
    ...{ id: bulk, operator: short(why, 48), action: 'remove' },
    ...{ reason: 'spam', explanation: why, privateNote: why },
    ...{ settleReports: true, createdAt: now },
  });
  const items = all.map(({ text, n }) => ({
    ...({
      bulkId: bulk,
      n,
      subject: `message:${n}`,
      state: 'refused',
    } as const),
    error: { error: text, detail: text },
  }));
  await rows(test).insert(BulkItem, items);
  const channels = all.map(({ text, alias, id }) => ({
    ...{ id, way: 'email' as const, address: short(text, 254) },
    kinds: ['report' as const],
    ...{ changedAt: now, changedBy: alias },
  }));
  await rows(test).insert(NotificationChannel, channels);
  const deliveries = channels.map(({ id, address }) => ({
    ...{ id: randomUUID(), channelId: id, items: [], total: 1, test: false },
    ...({ state: 'dead', attempts: 1, error: address } as const),
    ...{ createdAt: now, dueAt: now },
  }));
  await rows(test).insert(NotificationDelivery, deliveries);
  const trail = all.map(({ text, n }) => ({
    ...{ id: FIRST + n, at: now, operator: text, subject: text },
    action: action ?? text,
    ...{ before: JSON.stringify(text), after: JSON.stringify(text) },
    ...{ previous: ZEROS, hash: ZEROS },
  }));
  await rows(test).insert(OperatorAudit, trail);
  return { bulk };
}
