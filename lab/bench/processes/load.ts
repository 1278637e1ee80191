import { type ExportLoad, exportLoad } from '../load/export.js';
import { type GetLoad, getLoad } from '../load/get.js';
import { type PublishLoad, publishLoad } from '../load/publish.js';
import { type SqlLoad, sqlLoad } from '../load/sql.js';
import { type VoteLoad, voteLoad } from '../load/vote.js';
import { type WaitLoad, waitLoad } from '../load/wait.js';
import { answer } from './answer.js';

export type Load = GetLoad | PublishLoad | VoteLoad | SqlLoad;
export type OtherLoad = ExportLoad | WaitLoad;

function run(load: Load | OtherLoad): Promise<unknown> {
  switch (load.kind) {
    case 'get':
      return getLoad(load);
    case 'publish':
      return publishLoad(load);
    case 'vote':
      return voteLoad(load);
    case 'sql':
      return sqlLoad(load);
    case 'export':
    case 'copy':
      return exportLoad(load);
    default:
      return waitLoad(load);
  }
}

answer<Load | OtherLoad>(run);
