import { Link } from '@tanstack/react-router';
import { useAccess } from '../access/use-access.js';

/** Who is signed in, and the way to the own account. */
export function AccountLink() {
  const name = useAccess().data?.operator?.name ?? 'Account';
  return (
    <Link to="/account" className="account">
      <span className="unseen-label">Your account: </span>
      {name}
    </Link>
  );
}
