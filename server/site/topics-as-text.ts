import type { Context } from '../context.js';
import type { TopicFacts } from './home-facts.js';
import { listAsText, messageAsItem, nextAsText } from './list-as-text.js';

/** The list of topics as text: a line of JSON each, and a fenced excerpt. */
export function topicsAsText(
  ctx: Context,
  { topics, next }: TopicFacts,
): string {
  const { baseUrl, boardTitle: title } = ctx.config;
  const head = {
    board: ctx.board.name,
    title,
    next: nextAsText(baseUrl, next),
  };
  const items = topics.map((topic) => messageAsItem('TOPIC', topic));
  return listAsText('TOPICS', head, items);
}
