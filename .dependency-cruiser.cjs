/**
 * The import law (docs/architecture.md): one direction, checked by a tool.
 * What needs types told from values is elsewhere: cycles of files are Biome's to
 * find, the order of folders `scripts/import-law.js` checks.
 */
const FEATURES =
  'agents|api-docs|dashboard|feeds|mcp|moderation|operations|polls|posting|reading|search|selections|site|stats|tickets|votes';

module.exports = {
  forbidden: [
    {
      name: 'protocol-is-pure',
      comment: 'protocol/ imports nothing of the project but itself',
      severity: 'error',
      from: { path: '^protocol/' },
      to: { path: '^(server|mesh|client|admin-ui|test|lab)/' },
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
      name: 'features-through-their-index',
      severity: 'error',
      from: { path: `^(server/(${FEATURES})|mesh/(?!cli/))/` },
      to: {
        path: `^server/(${FEATURES})/`,
        pathNot: ['^server/$2/', '/index\\.ts$'],
      },
    },
    {
      name: 'server-never-imports-mesh',
      comment:
        'board.ts hands the mesh in, commands load it; the rest knows the interfaces of mesh-ports.ts and peer-port.ts',
      severity: 'error',
      from: { path: '^server/', pathNot: '^server/(board\\.ts$|cli/)' },
      to: { path: '^mesh/', pathNot: '^mesh/(mesh-ports|peer-port)\\.ts$' },
    },
    {
      name: 'dashboard-is-no-client',
      comment: 'which values of a server it may have, import-law.js says',
      severity: 'error',
      from: { path: '^admin-ui/' },
      to: { path: '^(client|test|lab)/' },
    },
    {
      name: 'nobody-imports-the-lab',
      comment:
        'nor do client/, scripts/ and test/, which import-law.js looks through',
      severity: 'error',
      from: { pathNot: '^lab/' },
      to: { path: '^lab/' },
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
      from: { pathNot: '^server/operations/jobs/schedule\\.ts$' },
      to: { path: 'node_modules/node-cron' },
    },
    {
      name: 'no-test-code-in-production',
      severity: 'error',
      from: { path: '^(protocol|server|mesh|client)/' },
      to: { path: '^(test|lab)/' },
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
