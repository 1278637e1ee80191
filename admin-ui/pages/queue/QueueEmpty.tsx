import { Link } from '@tanstack/react-router';
import { Empty } from '../../parts/Empty.js';

export function QueueEmpty({ filtered }: { filtered: boolean }) {
  return filtered ? (
    <Empty title="Nothing matches these filters.">
      <Link to="/queue">Show everything that waits</Link>
    </Empty>
  ) : (
    <Empty title="Nothing waits. Well done.">
      Reports, appeals and proposals that ended show up here by themselves.
    </Empty>
  );
}
