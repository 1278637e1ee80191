import type { Step } from './pager.js';
import type { ThreadFacts } from './thread-facts.js';
import { pagePath } from './thread-window.js';

/** Where a reader of this part of a thread can go. */
export function threadSteps(facts: ThreadFacts): Step[] {
  const { rootId, messages, newest, selection } = facts;
  const { page, pages } = selection;
  if (page !== null) return pages === 1 ? [] : numbered(rootId, page, pages);
  const first = messages[0]?.id;
  const last = messages.at(-1)?.id;
  const steps: Step[] = [];
  if (first !== undefined && first > rootId) {
    const href = `/t/${rootId}?before=${first}`;
    steps.push({ href, name: 'Older', rel: 'prev' });
  }
  if (last !== undefined && last < newest) {
    const href = `/t/${rootId}?since=${last}`;
    steps.push({ href, name: 'Newer', rel: 'next' });
  }
  return steps;
}

/** First, last and the neighbours of the page that is shown. */
function numbered(rootId: number, page: number, pages: number): Step[] {
  const near = [1, page - 1, page, page + 1, pages];
  const numbers = [...new Set(near)].filter((n) => n >= 1 && n <= pages);
  const steps: Step[] = numbers.map((n) => ({
    href: pagePath(rootId, n),
    name: `Page ${n}`,
    ...(n === page ? { current: true } : {}),
  }));
  if (page > 1) {
    const href = pagePath(rootId, page - 1);
    steps.unshift({ href, name: 'Older', rel: 'prev' });
  }
  if (page < pages) {
    const href = pagePath(rootId, page + 1);
    steps.push({ href, name: 'Newer', rel: 'next' });
  }
  return steps;
}
