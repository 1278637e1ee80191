import { equalBytes } from '../../protocol/bytes.js';
import { openCheckpoint } from '../../protocol/checkpoint.js';
import { verifyConsistency } from '../../protocol/consistency.js';
import { contentFromJson } from '../../protocol/content.js';
import { feedPageFromJson, verifyFeedPage } from '../../protocol/feed-page.js';
import {
  readHashText,
  readList,
  readObject,
  readString,
} from '../../protocol/json.js';
import { PROOF_HASHES } from '../../protocol/limits.js';
import { matching } from '../pull/verify/judge-post.js';
import type { NewPost } from '../pull/verify/judged.js';
import { notRefused, said, textOf } from './asking.js';
import { type Checked, type Findings, few } from './findings.js';
import {
  frontierAt,
  missingTexts,
  pageFault,
  type ReadLog,
  rootAt,
} from './read-log.js';

/** All that a mirror needs. */
export function judgeLog(findings: Findings, log: ReadLog): boolean {
  const { refusal, head, leaves, invalid } = log;
  const from = `the page from ${refusal?.from}`;
  const isFeed = refusal === null || refusal.isPage;
  const lacks = refusal === null ? null : `${from}: ${refusal.reason}`;
  const answered = findings.note(
    'B4.6 GET feed answers pages of this shape',
    isFeed ? null : lacks,
  );
  if (!answered) return false;
  const signed = findings.note(
    'B7.1 each page is proven by a checkpoint that the log key signed',
    lacks,
  );
  if (!signed || head === null) return false;
  const [first] = leaves;
  findings.note(
    'B4.1 entry 0 is the identity of the board',
    first?.head?.type === 'board'
      ? null
      : `entry 0 is ${first?.head?.type ?? 'missing'}`,
  );
  findings.note('B7.2 every entry is valid', few(invalid));
  if (!log.whole) {
    const read = `B7.2 the ${head.size - leaves.length} entries from ${leaves.length} on, and no tiles: only the beginning is read`;
    findings.note(read, undefined);
  }
  const missing = log.whole ? missingTexts(log) : [];
  findings.note(
    'B7.2 every text that was not removed is given, and has the hash of its entry',
    few(missing.map((index) => `entry ${index}`)),
  );
  return true;
}

/** A node's own: mesh.md §B11.1. */
const AHEAD_MS = 120_000;
/** In ms, 2001; a time in seconds is below it. */
const LEAST_AT = 1_000_000_000_000;

/** Of entries; identities and messages repeat them. */
function checkTimes(findings: Findings, { leaves }: ReadLog): void {
  const times = leaves.flatMap(({ head }) => head?.at ?? []);
  const small = times.findIndex((at) => at < LEAST_AT);
  findings.note(
    'B1.1 `at` is in milliseconds',
    small < 0 ? null : `entry ${small} has ${times[small]}: seconds?`,
  );
  const ahead = Math.max(...times) - Date.now();
  findings.note(
    'B11.1 no entry is from the future',
    ahead <= AHEAD_MS
      ? null
      : `the latest \`at\` is ${Math.round(ahead / 1000)} s ahead of this machine's clock: clock_skew`,
  );
}

/** Pages of one entry, so that those of short logs need a proof, too. */
async function checkPageProofs({ ask, findings, log }: Checked) {
  const rule = 'B7.1 `consistency` proves pages that end before the head';
  const { leaves, logVkey, source } = log;
  const { length } = leaves;
  const ends = new Set([1, 2, 3, length >> 1, length - 1]);
  const bad: string[] = [];
  for (const to of ends) {
    if (to < 1 || to >= (log.head?.size ?? 0)) continue;
    const from = to - 1;
    const query = `from=${from}&limit=1`;
    const page = feedPageFromJson(
      (await ask(`${source.prefix}/feed?${query}`)).json,
    );
    const verified = page.ok
      ? verifyFeedPage(page.value, frontierAt(log, from), logVkey)
      : page;
    if (verified.ok) continue;
    const { reason } = verified;
    const why = page.ok ? pageFault(page.value, reason, logVkey) : reason;
    bad.push(`${query}: ${why}`);
  }
  const lacks = length > 1 ? few(bad) : undefined;
  findings.note(rule, lacks, 'the log has one entry');
}

/** Beside whole pages. */
export async function checkFeed(checked: Checked): Promise<void> {
  const { ask, findings, log } = checked;
  const { prefix } = log.source;
  const feed = (query: string) => ask(`${prefix}/feed?${query}`);
  const one = feedPageFromJson((await feed('from=0&limit=1')).json);
  const isShort =
    one.ok && one.value.to === 1 && one.value.entries.length === 1;
  findings.note(
    'B4.6 `limit` is kept',
    isShort ? null : 'limit=1 gives no page of one entry',
  );
  await checkPageProofs(checked);
  checkTimes(findings, log);
  const bare = feedPageFromJson((await feed('from=0&limit=256')).json);
  const isBare =
    bare.ok && bare.value.entries.every(({ content }) => content === undefined);
  findings.note(
    'B4.6 `content` defaults to none',
    isBare ? null : 'texts come unasked',
  );
  const size = log.head?.size ?? 0;
  const ahead = await feed(`from=${size + 1_000_000}`);
  const rule =
    'B4.6 `from` beyond the log is 409 `cursor_ahead` with the checkpoint';
  const checkpoint = openCheckpoint(
    readString(ahead.json?.checkpoint) ?? '',
    log.logVkey,
  );
  const unsigned = checkpoint.ok ? null : 'it has no signed checkpoint';
  findings.note(rule, notRefused(rule, ahead) ?? unsigned);
  if (!log.whole) return;
  const asked = performance.now();
  const waited = await feed(`from=${size}&wait=1&limit=1`);
  const ms = Math.round(performance.now() - asked);
  const page = feedPageFromJson(waited.json);
  const isPage = page.ok && page.value.from === size;
  const isHasty = isPage && page.value.entries.length === 0 && ms < 500;
  const hasty = `wait=1 was answered with an empty page after ${ms} ms`;
  const lacks = isHasty ? hasty : null;
  findings.note(
    'B4.6 `wait` at the end of the log waits for new entries, or answers with an empty page',
    isPage ? lacks : `${said(waited)}, no such page`,
  );
}

/** Heads, proofs and contents (spec/mesh.md §B4.6). */
export async function checkReads(checked: Checked): Promise<void> {
  const { ask, findings, log, document } = checked;
  const answer = await ask(`${log.source.prefix}/checkpoint`);
  const opened = openCheckpoint(textOf(answer), log.logVkey);
  findings.note(
    'B4.6 GET checkpoint is signed by the log key',
    opened.ok ? null : `${said(answer)}, ${opened.reason}`,
  );
  await checkProofs(checked);
  await checkContents(checked);
  const shown = readString(readObject(document?.log)?.checkpoint);
  const bad = [shown, answer.status === 200 ? textOf(answer) : null].flatMap(
    (note) => (note && headFault(log, note)) || [],
  );
  findings.note('B8.2 every head that it shows is of one log', few(bad));
}

/** Beside a head of the same size that was read. */
function headFault(log: ReadLog, note: string): string | null {
  const opened = openCheckpoint(note, log.logVkey);
  if (!opened.ok) return 'a head that its key did not sign';
  const { size, root } = opened.value;
  const isKnown = size <= log.leaves.length;
  return isKnown && !equalBytes(rootAt(log, size), root)
    ? `another root at ${size}`
    : null;
}

async function checkProofs({ ask, findings, log }: Checked) {
  if (log.head === null) return;
  const { size, root } = log.head;
  const { prefix } = log.source;
  const known = log.leaves.length;
  const sizes = new Set([1, 2, 3, 4, known >> 1, known - 1, known]);
  const bad: string[] = [];
  for (const from of sizes) {
    if (from < 1 || from > Math.min(known, size)) continue;
    const { json } = await ask(`${prefix}/consistency?from=${from}&to=${size}`);
    const hashes = readList(json?.hashes, PROOF_HASHES, readHashText) ?? [];
    const own = rootAt(log, from);
    const proven =
      json !== null && verifyConsistency(from, size, own, root, hashes);
    if (!proven) bad.push(`from ${from} to ${size}`);
  }
  findings.note('B4.6 GET consistency proves every earlier size', few(bad));
  findings.refused(
    'B4.6 GET consistency with `from` above `to` is 400 `invalid_input`',
    await ask(`${prefix}/consistency?from=${size + 1}&to=${size}`),
  );
}

async function checkContents({ ask, findings, log }: Checked) {
  const at = (index: number) =>
    ask(`${log.source.prefix}/content?index=${index}`);
  const of = (status: string) =>
    [...log.posts.values()].findLast(
      ({ id }) => log.states.get(id)?.state.status === status,
    );
  const fault = async ({ index, contentHash }: NewPost) => {
    const answer = await at(index);
    const content = contentFromJson(answer.json?.content);
    return content.ok && matching(content.value, contentHash)
      ? null
      : `entry ${index}: ${said(answer)}, no text of its hash`;
  };
  const post = of('ok');
  const rule = 'B4.6 GET content gives the text of an entry';
  findings.note(rule, post && (await fault(post)));
  const removed = of('removed');
  if (removed !== undefined) {
    const rule = 'B4.5 a removed text is 410 `content_removed`';
    findings.refused(rule, await at(removed.index));
  }
  findings.refused(
    'B4.6 GET content of an entry that is no post is 404 `not_found`',
    await at(0),
  );
}
