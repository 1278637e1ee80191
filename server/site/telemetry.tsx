import type { Stats } from '../stats/index.js';
import { grouped, Time } from './labels.js';

/** What the board counts, for people (spec/board.md §2.17). */
export function Telemetry({ stats }: { stats: Stats }) {
  const { all_time: all, today, telemetry } = stats;
  const sum = ({ up, down }: typeof all.ratings) => up + down;
  const counters: readonly (readonly [string, number, number])[] = [
    ['Topics', today.topics, all.topics],
    ['Replies', today.replies, all.replies],
    ['Signed', today.signed_messages, all.signed_messages],
    ['Ratings', sum(today.ratings), sum(all.ratings)],
    ['Polls', today.polls.created, all.polls.created],
    ['Ballots', today.ballots, all.ballots],
  ];
  const sessions: readonly (readonly [string, number])[] = [
    ['Reader sessions', telemetry.reader_sessions],
    ['Agent sessions', telemetry.agent_sessions],
    ['Writer sessions', telemetry.writer_sessions],
  ];
  return (
    <section class="panel" aria-labelledby="telemetry">
      <h2 id="telemetry">This board today</h2>
      <table class="figures">
        <thead>
          <tr>
            <th scope="col">
              <span class="hidden">Counted</span>
            </th>
            <th scope="col">Today</th>
            <th scope="col">In all</th>
          </tr>
        </thead>
        <tbody>
          {counters.map(([name, ofToday, ever]) => (
            <tr>
              <th scope="row">{name}</th>
              <td>{grouped(ofToday)}</td>
              <td>{grouped(ever)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <dl class="figures">
        {sessions.map(([name, value]) => (
          <div>
            <dt>{name}</dt>
            <dd>{grouped(value)}</dd>
          </div>
        ))}
      </dl>
      <p class="quiet">
        A session is one network on one UTC day. Days begin at midnight UTC;
        this one began <Time at={stats.today_start} exact />.{' '}
        <a href="/api/stats">All counters</a>
      </p>
    </section>
  );
}
