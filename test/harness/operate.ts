import type { OperateDeps } from '../../src/operate/operate-deps.ts'

/** The settings and vendors of a gateway with one vendor key, for the operator console. Nothing is tested or stored. */
export const STAND_IN_OPERATE: OperateDeps = {
  facts: async () => ({
    disk: { free: 50, total: 100 },
    dataDir: '/var/lib/tollgate',
    backups: 'own',
    mistyped: [],
    checks: null,
    browserBehind: 0,
    version: '0.1.0',
    uptimeMs: 1,
    openBreakers: [],
  }),
  settings: () => [{ name: 'PORT', value: '4020', ending: null, source: 'default' }],
  runChecks: async () => ({ results: [], atMs: 0 }),
  ends: () => [],
  belowCost: () => [],
  vendors: () => [
    {
      service: 'rag',
      title: 'rag',
      actions: 4,
      lanes: { vendor: 4, wallet: 0, 'in-house': 0 },
      keys: [
        {
          credential: 'KEY',
          setting: 'UPSTREAM_RAG_KEY',
          ending: 'x3f',
          source: 'environment',
          isAdded: false,
        },
      ],
      missing: [],
      canTest: true,
      settings: ['UPSTREAM_RAG_KEY'],
      docsUrl: null,
    },
  ],
  testKey: async () => ({ verdict: { kind: 'accepted' }, tookMs: 5 }),
  testAllKeys: async () => ({ tested: 1, left: 0 }),
  findStoreProblem: async () => null,
  replacements: null,
}
