import { type GetLoad, getLoad } from '../load/get.js';
import { type PublishLoad, publishLoad } from '../load/publish.js';
import { type SqlLoad, sqlLoad } from '../load/sql.js';
import { type VoteLoad, voteLoad } from '../load/vote.js';
import { answer } from './answer.js';

/** What the load generator can be told to do, in a process of its own. */
export type Load = GetLoad | PublishLoad | VoteLoad | SqlLoad;

answer<Load>(async (load) => {
  if (load.kind === 'get') return await getLoad(load);
  if (load.kind === 'publish') return await publishLoad(load);
  if (load.kind === 'vote') return await voteLoad(load);
  return await sqlLoad(load);
});
