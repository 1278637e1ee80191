// Which tests run when. `npm test` runs all of test/ but REST; `npm run test:all`
// runs these too, and those of PLAIN once more on boards whose every answer is
// Express's (FAST_PATHS=off).

const all = (...folders) =>
  folders.map((folder) => `test/${folder}/**/*.test.ts`);
const files = (folder, names) =>
  names.split(' ').map((name) => `test/${folder}/${name}.test.ts`);

/** What a feature does not need to show that it works. */
exports.REST = [
  'lab/**/*.test.ts',
  ...all('browser', 'faults', 'client/cli', 'client/verify', 'server/cli'),
  ...all('mesh/guard', 'mesh/history', 'mesh/hostile', 'mesh/partitions'),
  ...all('mesh/recover', 'mesh/restore', 'server/db/embedded'),
  ...files('mesh/boards', 'many-mirrors'),
  ...files('mesh/relay', 'attacked commands generated killed'),
  ...files('mesh', 'peers/command-line pull/killed'),
  // Servers of PostgreSQL of their own; replica-reads shows a replica at work.
  ...files('server/db', 'hostile-databases orm-config pgbouncer'),
  ...files('server/db', 'refused-servers replicas runner-role squash'),
  ...files('server', 'api-docs/generated-client one-network-or-two'),
  ...files('docs', 'by-hand'),
  ...files('client', 'hostile-board package'),
  ...files('admin', 'access-command access-flood access-guesses'),
  ...files('admin', 'access-passkey-generated at-once bulk-attacked'),
  ...files(
    'admin',
    'socket-flood socket-hostile socket-roles watch-rules-load',
  ),
];

/** What the fast paths answer. */
exports.PLAIN = [
  ...files('server/reading', 'hot-reads message thread'),
  ...files('server/reading', 'thread-text threads'),
  ...files('server/http', 'many-headers rate-limit-headers'),
  ...files('server', 'metrics site/thread-cache stats/sessions'),
];
