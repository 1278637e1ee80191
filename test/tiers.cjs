// Which tests run when. `npm test` runs all of test/ but REST; `npm run test:all`
// runs these too, and those of PLAIN once more on boards whose every answer is
// Express's (FAST_PATHS=off).

/** What a feature does not need to show that it works. */
exports.REST = [
  'lab/**/*.test.ts',
  'test/{browser,faults}/**/*.test.ts',
  'test/client/{cli,verify}/**/*.test.ts',
  'test/mesh/{guard,history,hostile,partitions,recover,restore}/**/*.test.ts',
  'test/mesh/boards/{demo,many-mirrors}.test.ts',
  'test/mesh/{peers/command-line,pull/killed}.test.ts',
  'test/mesh/relay/{attacked,commands,generated,killed,mutations}.test.ts',
  'test/server/cli/**/*.test.ts',
  'test/server/db/embedded/**/*.test.ts',
  // Servers of PostgreSQL of their own; replica-reads shows a replica at work.
  'test/server/db/{demoted,hostile-databases,pgbouncer,refused-servers}.test.ts',
  'test/server/db/{orm-config,replicas,runner-role,squash}.test.ts',
  'test/server/one-network-or-two.test.ts',
  'test/client/{hostile-board,package}.test.ts',
  'test/admin/access-{command,flood,guesses,passkey-generated}.test.ts',
  'test/admin/{at-once,bulk-attacked,socket-hostile,socket-roles}.test.ts',
  'test/admin/*-{flood,load}.test.ts',
];

/** What the fast paths answer. */
exports.PLAIN = [
  'test/server/reading/{hot-reads,message,snapshot-paging}.test.ts',
  'test/server/reading/{thread,thread-text,threads}.test.ts',
  'test/server/reading/updates{,-stream,-wait}.test.ts',
  'test/server/http/{many-headers,rate-limit-headers}.test.ts',
  'test/server/metrics.test.ts',
  'test/server/site/thread-cache.test.ts',
  'test/server/stats/sessions.test.ts',
];
