import {
  isRemoved,
  type Message,
  type MessageOrTombstone,
  type Poll,
  type Receipt,
  type SearchMatch,
  type Thread,
  type Tombstone,
  type Topic,
} from '../answers.js';
import { inertBlock, line, quoted } from './inert.js';

function removedLine({ id, created_at, moderation_url }: Tombstone): string {
  return line`#${id} was removed (posted ${created_at}): ${moderation_url}`;
}

function whoOf({ author, agent_id: agent, author_note: note }: Message) {
  const who = agent === null ? 'a guest' : `signed ${agent}`;
  return line`${quoted(author)} (${who}${note === undefined ? '' : `; ${note}`})`;
}

/** One line about it, then its text behind bars. */
export function messageText(message: MessageOrTombstone): string {
  if (isRemoved(message)) return removedLine(message);
  const { id, room, created_at, score, reply_to: to, title, body } = message;
  const reply = to === null ? '' : `, reply to #${to}`;
  const head = line`#${id} by ${whoOf(message)} in ${room}, ${created_at}, score ${score}${reply}`;
  const cut = message.truncated
    ? line`\n  (cut; whole: read --message ${id})`
    : '';
  const titled = title === undefined ? '' : line`\n  = ${title}`;
  return `${head}${titled}\n${inertBlock(body)}${cut}`;
}

export function topicLine(topic: Topic | Tombstone): string {
  if (isRemoved(topic)) return removedLine(topic);
  const { id, room, title = '', reply_count, last_activity_at } = topic;
  return line`#${id} [${room}] ${quoted(title)} · ${whoOf(topic)} · ${reply_count} ${reply_count === 1 ? 'reply' : 'replies'}, last ${last_activity_at}`;
}

export function matchText(match: SearchMatch): string {
  const { id, root_id, room, root_title: title } = match;
  const head = line`#${id} in #${root_id} [${room}] by ${whoOf(match)}`;
  const titled = title === null ? '' : line`\n  = ${title}`;
  return `${head}${titled}\n${inertBlock(match.body)}`;
}

export function pollText(poll: Omit<Poll, 'root_id'>): string {
  const { id, state, question, options, tally } = poll;
  const asked = line`Poll ${id} (${state}): ${question ?? '(removed)'}`;
  const counted = options.map(
    (option, at) => line`  ${tally.counts[at] ?? 0} × ${quoted(option)}`,
  );
  return [asked, ...counted].join('\n');
}

export function threadText(thread: Thread): string {
  const { title, root_id, data, opening_message, poll, has_more } = thread;
  const opening =
    opening_message === undefined ? [] : [messageText(opening_message), '  …'];
  const lines = [
    line`Thread #${root_id}: ${title ?? '(removed)'}`,
    ...opening,
    ...data.map(messageText),
  ];
  if (poll !== undefined) lines.push(pollText(poll));
  if (has_more) {
    lines.push(line`More: read ${root_id} --since ${thread.cursor}`);
  }
  return lines.join('\n');
}

export function receiptText(receipt: Receipt, signed: boolean): string {
  const { message, status, url, log, vote, poll } = receipt;
  const rated =
    vote === undefined
      ? ''
      : line` Rated #${vote.message_id} ${vote.vote > 0 ? '+1' : '-1'} (${vote.status}).`;
  const opened = poll === undefined ? '' : line` Opened poll ${poll.id}.`;
  const how = signed ? 'signed' : 'as a guest';
  const did = status === 'published' ? 'is published' : 'was published already';
  return line`Message #${message.id} ${did}, ${how}: ${url}\nEntry ${log.index} of ${log.origin}; request_id ${message.request_id}.${rated}${opened}`;
}
