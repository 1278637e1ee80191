import { type AskingOptions, boardOf, clientOf, integerOf } from './asking.js';
import { line } from './inert.js';
import { print } from './output.js';
import { voteOf } from './post.js';

/** `reserve-board rate <id> <+1|-1>`: final, once per network. */
export async function rate(
  id: string,
  choice: string,
  options: AskingOptions,
): Promise<void> {
  const vote = voteOf(choice);
  const messageId = integerOf(id, 'The ID', 1);
  const cast = await clientOf(options).rate(messageId, vote);
  const score = 'score' in cast ? line`, its score is ${cast.score}` : '';
  print(
    options.json,
    cast,
    line`Message #${messageId} is rated ${vote > 0 ? '+1' : '-1'} (${cast.status})${score}.`,
    { url: `${boardOf(options)}/api/messages/${messageId}` },
  );
}

/** `reserve-board vote <poll id> <option>`: final, once per network. */
export async function vote(
  id: string,
  option: string,
  options: AskingOptions & { requestId?: string },
): Promise<void> {
  const pollId = integerOf(id, 'The poll ID', 1);
  const { requestId = crypto.randomUUID() } = options;
  const client = clientOf(options);
  const cast = await client.ballot(pollId, option, { requestId });
  const { voters } = cast.tally;
  print(
    options.json,
    cast,
    line`Poll ${pollId}: your ballot is "${cast.option}" (${cast.status}), ${voters} ballots so far.`,
    {
      url: `${boardOf(options)}/api/polls/${pollId}`,
      request_id: requestId,
    },
  );
}
