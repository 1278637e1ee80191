import { Link } from '@tanstack/react-router';
import type { WatchTrial } from '../../../server/dashboard/schemas/watch.js';
import { Time } from '../../parts/Time.js';

/** What a rule would have matched. */
export function Trial({ of }: { of: WatchTrial }) {
  const { matches, messages, since, complete, examples } = of;
  return (
    <div className="preview">
      <p className="tight">
        {matches === 1 ? '1 match' : `${matches} matches`} in {messages}{' '}
        {messages === 1 ? 'message' : 'messages'} since <Time at={since} />.
        {complete ? null : ' The time was up before older ones were read.'}
      </p>
      {examples.length === 0 ? null : (
        <ul className="row plain">
          {examples.map(({ message_id: id }) => (
            <li key={id}>
              <Link to="/item/$subject" params={{ subject: `message:${id}` }}>
                Message {id}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
