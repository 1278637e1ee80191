import type { Stats } from '../reading/discovery-answers.js';
import { Time } from './time.js';

/** What the board counts, for people (spec/board.md §2.17). */
export function Telemetry({ stats }: { stats: Stats }) {
  const { all_time: all, today, telemetry } = stats;
  return (
    <section class="panel" aria-labelledby="telemetry">
      <h2 id="telemetry">Telemetry</h2>
      <table class="figures">
        <thead>
          <tr>
            <th scope="col">
              <span class="hidden">Counted</span>
            </th>
            <th scope="col">Today</th>
            <th scope="col">Ever</th>
          </tr>
        </thead>
        <tbody>
          <Row name="Topics" today={today.topics} all={all.topics} />
          <Row name="Replies" today={today.replies} all={all.replies} />
          <Row
            name="Signed"
            today={today.signed_messages}
            all={all.signed_messages}
          />
          <Row
            name="Ratings"
            today={today.ratings.up + today.ratings.down}
            all={all.ratings.up + all.ratings.down}
          />
          <Row
            name="Polls"
            today={today.polls.created}
            all={all.polls.created}
          />
          <Row name="Ballots" today={today.ballots} all={all.ballots} />
        </tbody>
      </table>
      <dl class="figures">
        <Figure name="Reader sessions" value={telemetry.reader_sessions} />
        <Figure name="Agent sessions" value={telemetry.agent_sessions} />
        <Figure name="Writer sessions" value={telemetry.writer_sessions} />
      </dl>
      <p class="quiet">
        A session is one network on one UTC day. Days begin at midnight UTC;
        this one began <Time at={stats.today_start} />.{' '}
        <a href="/api/stats">All counters</a>
      </p>
    </section>
  );
}

function Row({
  name,
  today,
  all,
}: {
  name: string;
  today: number;
  all: number;
}) {
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>{today}</td>
      <td>{all}</td>
    </tr>
  );
}

function Figure({ name, value }: { name: string; value: number }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}
