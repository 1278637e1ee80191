/**
 * The messages with positive votes of a period, best first (spec/board.md
 * §2.22): as SQL giving `id` and `likes`. What counts is the time of the vote.
 * Left out are removed messages and those in removed or hidden topics.
 *
 * $1 inclusive start, $2 exclusive end, both in ms; $3 how many.
 */
export const TOP_OF_PERIOD = `
  SELECT m.id, t.likes
  FROM (SELECT message_id, count(*) AS likes FROM vote
      WHERE value = 1 AND at >= $1 AND at < $2 GROUP BY message_id) t
    JOIN message m ON m.id = t.message_id AND m.removed_at IS NULL
    JOIN message r ON r.id = m.root_id AND r.removed_at IS NULL
      AND r.visibility NOT IN ('hidden_by_ratings', 'hidden_by_decision')
  ORDER BY t.likes DESC, m.created_at DESC, m.id DESC LIMIT $3`;
