import { expect } from 'chai';
import {
  claimedBefore,
  ownClaim,
} from '../../../server/posting/name-claims.sql.js';
import { onNewDatabase } from '../../support/database.js';

const ASKED = `WITH p AS MATERIALIZED (
    SELECT unnest($1::bytea[]) AS name_key, unnest($2::text[]) AS agent_id,
      unnest($3::bigint[]) AS claims_since)
  SELECT ${claimedBefore('p')} AS noted FROM p ${ownClaim('p')}`;

/** One key has written everything under one name: the planner's worst case. */
const FILL = `INSERT INTO message (id, root_id, room, author, agent_id, key_seq,
    title, body, salt, created_at, request_id, message_hash, log_index,
    vote_secret, last_activity_id, name_key)
  SELECT g, g, 'lobby', 'x', 'a1a', 0, 't', 'b', '\\x61', g,
    gen_random_uuid(), decode(lpad(to_hex(g), 8, '0'), 'hex'), g, '\\x01', g,
    '\\x05' FROM generate_series(1, 20000) g`;

describe('the claims of a name', () => {
  it('are found by index, whatever the planner knows of the names', async () => {
    await onNewDatabase(async (source) => {
      await source.query(FILL);
      await source.query('ANALYZE message');
      await source.query('SET plan_cache_mode = force_generic_plan');
      await source.query(`PREPARE asked AS ${ASKED}`);
      for (const [key, agent, noted] of [
        ['05', "'a1a'", false],
        ['05', "'a1b'", true],
        ['05', 'NULL', true],
        ['04', "'a1a'", false],
        ['04', 'NULL', false],
        ['06', "'a1b'", false],
      ] as const) {
        const run = `EXECUTE asked (ARRAY['\\x${key}'::bytea], ARRAY[${agent}]::text[], ARRAY[9000])`;
        const [row] = await source.query<{ noted: boolean }[]>(run);
        expect(row?.noted, `${key} ${agent}`).to.equal(noted);
        const [{ 'QUERY PLAN': plan }] = await source.query(
          `EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON) ${run}`,
        );
        const [{ Plan: top }] = plan;
        const pages = top['Shared Hit Blocks'] + top['Shared Read Blocks'];
        expect(pages, JSON.stringify(plan)).to.be.at.most(40);
      }
    });
  });
});
