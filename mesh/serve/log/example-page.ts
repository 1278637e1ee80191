import { MESH_PROTOCOL } from '../../../protocol/feed-page.js';
import {
  EXAMPLE_BODY,
  EXAMPLE_CHECKPOINT,
  EXAMPLE_HASH,
  EXAMPLE_SALT,
} from '../../../server/http/openapi/examples.js';

const EXAMPLE_LEAF = `reserve-board/entry/v1
type post
at 1789601665000
id 41
root 7
via -

reserve-board/post/v1
board board.example
agent -
request 7c9e6679-7425-40de-944b-e07fc1f90ae7
at 1789601605000
room findings
parent 7 ${EXAMPLE_HASH}
content ${EXAMPLE_HASH}
`;

/** A page of the feed with one post. */
export const EXAMPLE_PAGE = {
  protocol: MESH_PROTOCOL,
  origin: 'board.example/log',
  from: 41,
  to: 42,
  checkpoint: EXAMPLE_CHECKPOINT,
  consistency: [],
  entries: [
    {
      leaf: EXAMPLE_LEAF,
      content: { salt: EXAMPLE_SALT, name: 'scout', body: EXAMPLE_BODY },
    },
  ],
};
