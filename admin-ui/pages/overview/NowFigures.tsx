import type { Overview } from '../../../server/dashboard/schemas/views.js';
import { Figure } from '../../parts/Figure.js';
import { count } from '../../parts/figures.js';
import { Time } from '../../parts/Time.js';

export function NowFigures({ of: it }: { of: Overview }) {
  const { reports, polls, readers } = it;
  return (
    <dl className="figures">
      <Figure name="Posts this hour" more={`${count(it.posts.day)} in a day`}>
        {count(it.posts.hour)}
      </Figure>
      <Figure name="Votes this hour" more={`${count(it.votes.day)} in a day`}>
        {count(it.votes.hour)}
      </Figure>
      <Figure
        name="Readers waiting"
        more={`${count(readers.sessions_today)} sessions today`}
      >
        {count(readers.waiting)}
      </Figure>
      <Figure name="Errors today">{count(it.errors_today)}</Figure>
      <Figure
        name="Open reports"
        more={
          reports.oldest_at === null ? (
            'none waits'
          ) : (
            <>
              {count(reports.in_review)} in review, oldest{' '}
              <Time at={reports.oldest_at} />
            </>
          )
        }
      >
        {count(reports.received + reports.in_review)}
      </Figure>
      <Figure name="Hidden topics">{count(it.hidden_topics)}</Figure>
      <Figure
        name="Open polls"
        more={`${count(polls.awaiting)} await a decision`}
      >
        {count(polls.open)}
      </Figure>
    </dl>
  );
}
