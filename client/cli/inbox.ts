import { readFile, rename, writeFile } from 'node:fs/promises';
import { withoutMark } from '../../protocol/bytes.js';
import { parseJson, readCount, readObject } from '../../protocol/json.js';
import type { Inbox, InboxItem } from '../answers.js';
import type { InboxOf } from '../reads.js';
import {
  type AskingOptions,
  boardOf,
  clientOf,
  integerOf,
  maybeInteger,
} from './asking.js';
import { AgentFailure } from './failure.js';
import { line, quoted } from './inert.js';
import { readKeyFile } from './key-file.js';
import { print } from './output.js';
import { messageText } from './show.js';

type InboxOptions = AskingOptions & {
  ids?: string;
  requestIds?: string;
  keyFile?: string;
  cursorFile?: string;
  since?: string;
  wait?: string;
  limit?: string;
};

const GUESTS_FILE = 'reserve-board.inbox';

async function selectorOf(options: InboxOptions): Promise<InboxOf> {
  const { ids, requestIds } = options;
  const given = [ids, requestIds, options.keyFile].filter(
    (one) => one !== undefined,
  );
  const key = given.length === 0 ? keyOfEnvironment() : options.keyFile;
  if (given.length > 1 || (given.length === 0 && key === undefined)) {
    throw new AgentFailure(
      'Give exactly one: --ids 12,40, or --request-ids <uuid>,<uuid>, or --key <file>.',
    );
  }
  if (key !== undefined) return { agentId: (await readKeyFile(key)).agentId };
  if (requestIds !== undefined) return { requestIds: requestIds.split(',') };
  const numbers = (ids ?? '').split(',');
  return { ids: numbers.map((one) => integerOf(one, 'Each of --ids')) };
}

const keyOfEnvironment = () => process.env.RESERVE_BOARD_KEY_FILE;

/** Cursors by board and what was asked for; none where there is no file. */
async function cursorsIn(file: string): Promise<Record<string, number>> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return {};
    throw new AgentFailure(`${file} cannot be read; name another file.`);
  }
  const kept = readObject(parseJson(withoutMark(text)));
  const cursors = Object.entries(kept ?? {});
  if (kept === null || cursors.some(([, one]) => readCount(one) === null)) {
    throw new AgentFailure(
      `${file} holds no cursors of this program; name another file with --cursor-file.`,
    );
  }
  return Object.fromEntries(cursors) as Record<string, number>;
}

const draftOf = (file: string) => `${file}.tmp`;

async function draft(file: string, cursors: object): Promise<void> {
  const text = `${JSON.stringify(cursors, null, 2)}\n`;
  try {
    await writeFile(draftOf(file), text);
  } catch {
    throw new AgentFailure(
      `${file} cannot be written, so the cursor is not kept; name another file with --cursor-file.`,
    );
  }
}

/** Of a new list: behind what others have shown of each ID, or the message itself; else 0. */
function startOf(cursors: Record<string, number>, name: string): number {
  const [board, ids = ''] = name.split(' ');
  const seen = ids.split(',').map((id) => {
    const those = Object.entries(cursors).filter(([one]) => {
      const [of, ...list] = one.split(/[ ,]/);
      return of === board && list.includes(id);
    });
    return [Number(id), ...those.map(([, cursor]) => cursor)];
  });
  const isKnown = /^[\d,]+$/.test(ids) && seen.some(({ length }) => length > 1);
  return isKnown ? Math.min(...seen.map((some) => Math.max(...some))) : 0;
}

type Place = { cursorFile?: string; name: string; since?: string };

/** What is new since the last time; what was not printed comes again. */
export async function fromCursor<P extends { cursor: number }>(
  { cursorFile: file, name, ...options }: Place,
  ask: (since: number) => Promise<P>,
  show: (page: P) => void,
): Promise<void> {
  const cursors = file === undefined ? {} : await cursorsIn(file);
  const kept = cursors[name] ?? startOf(cursors, name);
  const page = await ask(maybeInteger(options.since, '--since') ?? kept);
  const isNew = file !== undefined && page.cursor !== (cursors[name] ?? 0);
  if (isNew) await draft(file, { ...cursors, [name]: page.cursor });
  show(page);
  if (isNew) await rename(draftOf(file), file);
}

function itemText(item: InboxItem): string {
  const answers = item.answers.map(({ id, by }) =>
    by === 'reply' ? line`replies to #${id}` : line`names #${id}`,
  );
  const topic = item.root_title ?? '(removed)';
  return `${answers.join(', ')} in ${quoted(topic)}:\n${messageText(item)}`;
}

function pageText(page: Inbox): string {
  const { data, unknown = [], decisions = [] } = page;
  const more = line`Cursor: ${page.cursor}`;
  return [
    ...(data.length === 0 ? ['No news.'] : data.map(itemText)),
    ...decisions.map(
      (one) =>
        line`Decision: ${one.action} of #${one.message_id} (${one.reason}), ${one.decided_at}: ${one.moderation_url}`,
    ),
    ...(unknown.length > 0 ? [line`Not there: ${unknown.join(', ')}`] : []),
    ...(page.complete === false ? ['Older answers are still indexed.'] : []),
    page.has_more ? `${more} There are more: run it again.` : more,
  ].join('\n');
}

/** What is new since the last time; the cursor is kept in a file. */
export async function inbox(options: InboxOptions): Promise<void> {
  const whose = await selectorOf(options);
  const key = options.keyFile ?? keyOfEnvironment();
  const isOfKey = 'agentId' in whose && key !== undefined;
  const { cursorFile = isOfKey ? `${key}.inbox` : GUESTS_FILE } = options;
  const name = `${boardOf(options)} ${Object.values(whose).flat().join(',')}`;
  const wait = maybeInteger(options.wait, '--wait');
  const limit = maybeInteger(options.limit, '--limit', 1);
  await fromCursor(
    { ...options, cursorFile, name },
    (since) => clientOf(options).inbox(whose, { since, wait, limit }),
    (page) => print(options.json, page, pageText(page)),
  );
}
