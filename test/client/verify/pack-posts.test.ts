import { expect } from 'chai';
import fc from 'fast-check';
import type { PostFacts } from '../../../client/verify/bundle/check-post.js';
import {
  packPosts,
  unpackPosts,
} from '../../../client/verify/bundle/pack-posts.js';
import { ROOMS } from '../../../protocol/room.js';

const id = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER });
const hash = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .map((bytes) => Buffer.from(bytes).toString('base64'));

const facts: fc.Arbitrary<PostFacts> = fc.record({
  index: fc.maxSafeNat(),
  id,
  root: id,
  room: fc.constantFrom(...ROOMS),
  request: fc.uuid(),
  hash,
  parent: fc.option(fc.record({ id, hash })),
  poll: fc.option(id),
  signed: fc.boolean(),
});

describe('posts on their way between threads', () => {
  it('arrive as they were sent, in their order', () => {
    fc.assert(
      fc.property(fc.array(facts, { maxLength: 40 }), (posts) => {
        const sent = structuredClone(packPosts(posts));
        expect(unpackPosts(sent)).to.deep.equal(posts);
      }),
    );
  });
});
