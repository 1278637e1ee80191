/**
 * The import law (README, "The tree"): one direction, checked by a tool.
 * Import cycles are Biome's to find, which tells types from values.
 */
const SLICES =
  'read|write|votes|polls|reports|moderation|usefulness|selections|telemetry|discovery|health|pages|feeds|mcp|admin|jobs|keys|proofs';

module.exports = {
  forbidden: [
    {
      name: 'protocol-is-pure',
      comment: 'protocol/ imports nothing of the project but itself',
      severity: 'error',
      from: { path: '^protocol/' },
      to: { path: '^(server|mesh|client|admin-ui|test|bench)/' },
    },
    {
      name: 'protocol-runs-in-browsers',
      severity: 'error',
      from: { path: '^protocol/' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'only-signing-touches-libsodium',
      severity: 'error',
      from: { pathNot: '^protocol/signing\\.ts$' },
      to: { path: 'node_modules/libsodium' },
    },
    {
      name: 'slices-never-import-each-other',
      comment: 'what two slices need moves down',
      severity: 'error',
      from: { path: `^server/(${SLICES})/` },
      to: { path: `^server/(${SLICES})/`, pathNot: '^server/$1/' },
    },
    {
      name: 'lower-rooms-know-no-slice',
      comment:
        'endpoints.ts lists what the slices answer; context.ts takes types only',
      severity: 'error',
      from: {
        path: '^server/',
        pathNot: `^server/((${SLICES}|cli)/|(app|board|context|endpoints|open-context|main|api-document)\\.ts$)`,
      },
      to: { path: `^server/(${SLICES})/` },
    },
    {
      name: 'db-below-ledger',
      severity: 'error',
      from: { path: '^server/db/' },
      to: { path: '^server/ledger/' },
    },
    {
      name: 'server-never-imports-mesh',
      comment: 'board.ts alone hands the mesh in',
      severity: 'error',
      from: { path: '^server/', pathNot: '^server/board\\.ts$' },
      to: { path: '^mesh/' },
    },
    {
      name: 'dashboard-shares-only-protocol-and-events',
      comment: 'types and schemas: no server runs in a browser',
      severity: 'error',
      from: { path: '^admin-ui/' },
      to: {
        path: '^(server|mesh|client|test|bench)/',
        pathNot: '^server/admin/events(/|\\.ts$)',
      },
    },
    {
      name: 'nobody-imports-the-dashboard',
      severity: 'error',
      from: { pathNot: '^admin-ui/' },
      to: { path: '^admin-ui/' },
    },
    {
      name: 'cron-stays-in-one-file',
      severity: 'error',
      from: { pathNot: '^server/jobs/schedule\\.ts$' },
      to: { path: 'node_modules/node-cron' },
    },
    {
      name: 'no-test-code-in-production',
      severity: 'error',
      from: { path: '^(protocol|server|mesh|client)/' },
      to: { path: '^(test|bench)/' },
    },
    {
      name: 'no-dev-dependencies-in-production',
      severity: 'error',
      from: { path: '^(protocol|server|mesh|client)/' },
      to: { dependencyTypes: ['npm-dev'], pathNot: '@types/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
