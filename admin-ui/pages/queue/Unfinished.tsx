import { Link } from '@tanstack/react-router';
import { useMay } from '../../access/use-access.js';
import { useAsk } from '../../api/use-ask.js';
import { count } from '../../parts/figures.js';

/** Own work for many that was begun and has not ended, such as in a lost tab. */
export function Unfinished() {
  const enabled = useMay('moderator');
  const { data } = useAsk('bulk.list', { mine: true, open: true }, { enabled });
  return data?.data.map(({ bulk, done, total, waiting }) => (
    <p key={bulk} className="card tight">
      {count(done)} of {count(total)} selected items are decided,{' '}
      {count(waiting)} wait.{' '}
      <Link to="/bulk/$bulk" params={{ bulk }}>
        Go on
      </Link>
    </p>
  ));
}
