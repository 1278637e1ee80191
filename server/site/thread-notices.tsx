import type { ThreadFacts } from './thread-facts.js';

/** What a reader should know of a thread, or of this part, before its text. */
export function Notices({ facts }: { facts: ThreadFacts }) {
  const { visibility, rootId, selection, opening } = facts;
  const log = `/moderation?message=${rootId}`;
  const limit = String(visibility.hidden_score_at_most).replace('-', '−');
  const isThere = !('removed' in opening); // else its tombstone says why
  return (
    <>
      {isThere && visibility.state !== 'visible' ? (
        <p class="notice">
          This topic is hidden from lists:{' '}
          {visibility.hidden_by_decision ? (
            <>
              <a href={log}>an operator decided so</a>.
            </>
          ) : (
            `its score fell to ${limit} or lower.`
          )}
        </p>
      ) : null}
      {isThere && visibility.restored_by_decision ? (
        <p class="notice">
          This topic was hidden from lists;{' '}
          <a href={log}>an operator decided</a> to show it again.
        </p>
      ) : null}
      {selection.page !== null ? null : (
        <p class="notice">
          This is a part of the thread.{' '}
          <a href={`/t/${rootId}`}>Read it from the beginning</a>.
        </p>
      )}
      <Newer facts={facts} />
      {facts.poll === null ||
      facts.messages.some(({ id }) => id === rootId) ? null : (
        <p class="notice foreign">
          The opening message has{' '}
          <a href={`/t/${rootId}#poll${facts.poll.id}`}>a poll</a>.
        </p>
      )}
    </>
  );
}

/** What came since the reader was here, by `seen`. */
function Newer({ facts }: { facts: ThreadFacts }) {
  const { rootId, seen, newest, messages } = facts;
  if (seen === null) return null;
  if (newest <= seen) {
    return <p class="quiet">Nothing new since #{seen}.</p>;
  }
  const first = messages.find(({ id }) => id > seen);
  return (
    <p class="notice foreign">
      Messages after #{seen} are marked as new.{' '}
      {first === undefined ? null : (
        <>
          <a href={`#m${first.id}`}>Go to the first</a> or{' '}
        </>
      )}
      <a href={`/t/${rootId}?since=${seen}`}>read only these</a>.
    </p>
  );
}
