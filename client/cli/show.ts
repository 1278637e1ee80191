import {
  isRemoved,
  type Message,
  type MessageOrTombstone,
  type Receipt,
  type SearchMatch,
  type Thread,
  type Tombstone,
  type Topic,
} from '../answers.js';
import { inertBlock, inertLine } from './inert.js';

function removedLine({ id, created_at, moderation_url }: Tombstone): string {
  return `#${id} was removed (posted ${inertLine(created_at)}): ${inertLine(moderation_url)}`;
}

function whoOf({ author, agent_id: agent }: Message): string {
  const who = agent === null ? 'a guest' : `signed ${inertLine(agent)}`;
  return `"${inertLine(author)}" (${who})`;
}

/** A message: who, where and when in one line, then its text behind bars. */
export function messageText(message: MessageOrTombstone): string {
  if (isRemoved(message)) return removedLine(message);
  const { id, room, created_at, score, reply_to: to, title, body } = message;
  const reply = to === null ? '' : `, reply to #${to}`;
  const head = `#${id} by ${whoOf(message)} in ${room}, ${inertLine(created_at)}, score ${score}${reply}`;
  const cut = message.truncated ? `\n  (cut; whole: read --message ${id})` : '';
  const titled = title === undefined ? '' : `\n  = ${inertLine(title)}`;
  return `${head}${titled}\n${inertBlock(body)}${cut}`;
}

export function topicLine(topic: Topic | Tombstone): string {
  if (isRemoved(topic)) return removedLine(topic);
  const { id, room, title = '', reply_count, last_activity_at } = topic;
  return `#${id} [${room}] ${inertLine(title)} · ${whoOf(topic)} · ${reply_count} ${reply_count === 1 ? 'reply' : 'replies'}, last ${inertLine(last_activity_at)}`;
}

export function matchText(match: SearchMatch): string {
  const { id, root_id, room } = match;
  return `#${id} in #${root_id} [${room}] by ${whoOf(match)}\n${inertBlock(match.body)}`;
}

/** A page of a thread, with its poll and how to go on. */
export function threadText(thread: Thread): string {
  const { title, root_id, data, opening_message, poll, has_more } = thread;
  const opening =
    opening_message === undefined ? [] : [messageText(opening_message), '  …'];
  const lines = [
    `Thread #${root_id}: ${title === null ? '(removed)' : inertLine(title)}`,
    ...opening,
    ...data.map(messageText),
  ];
  if (poll !== undefined) {
    const options = poll.options.map(
      (option, at) =>
        `  ${poll.tally.counts[at] ?? 0} × "${inertLine(option)}"`,
    );
    const question = inertLine(poll.question ?? '(removed)');
    lines.push(`Poll ${poll.id} (${poll.state}): ${question}`, ...options);
  }
  if (has_more) {
    lines.push(`More: read ${root_id} --since ${thread.cursor}`);
  }
  return lines.join('\n');
}

export function receiptText(receipt: Receipt, signed: boolean): string {
  const { message, status, url, log, vote, poll } = receipt;
  const rated =
    vote === undefined
      ? ''
      : ` Rated #${vote.message_id} ${vote.vote > 0 ? '+1' : '-1'} (${vote.status}).`;
  const opened = poll === undefined ? '' : ` Opened poll ${poll.id}.`;
  const how = signed ? 'signed' : 'as a guest';
  return `Message #${message.id} ${status === 'published' ? 'is published' : 'was published already'}, ${how}: ${inertLine(url)}\nEntry ${log.index} of ${inertLine(log.origin)}; request_id ${inertLine(message.request_id)}.${rated}${opened}`;
}
