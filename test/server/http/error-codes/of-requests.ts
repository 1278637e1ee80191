import { operator } from '../../../admin/operators.js';
import { freshNetwork } from '../../../support/fresh-network.js';
import { preview, request } from '../../../support/post.js';
import { rawExchange, rawGet, startEdge } from '../harness.js';
import type { Producers, Scene } from './scene.js';

/** A POST that reaches the checks of its form. */
const post = ({ a }: Scene, path = '/write/preview') =>
  a.as(freshNetwork()).post(path).set('Content-Type', 'application/json');

/** Codes about the request itself, who sends it, and the board's own state. */
export const OF_REQUESTS = {
  invalid_input: ({ a }) => a.as(freshNetwork()).get('/api/threads?limit=0'),
  unknown_field: (scene) => preview(scene.a, { more: 1 }, freshNetwork()),
  url_parameters_rejected: (scene) =>
    post(scene, '/write/preview?body=x').send(request()),
  invalid_json: (scene) => post(scene).send('{'),
  invalid_unicode: (scene) => post(scene).send('{"body":"\\u0000"}'),
  too_long: (scene) => preview(scene.a, { title: 'x'.repeat(1000) }),
  request_too_large: (scene) => post(scene).send(' '.repeat(65_537)),
  unsupported_media_type: (scene) => post(scene).type('form').send('body=x'),
  method_not_allowed: ({ a }) => a.as(freshNetwork()).get('/write/preview'),
  forbidden: (scene) =>
    post(scene).set('Origin', 'https://evil.test').send(request()),
  unauthorized: ({ a }) => a.as().get('/admin/api/sessions'),
  rate_limited: async ({ a }) => {
    const from = freshNetwork();
    await a.as(from).get('/api/search?q=word');
    return await a.as(from).get('/api/search?q=word');
  },
  headers_too_large: async ({ a }) =>
    await rawExchange(
      Number(new URL(a.url).port),
      rawGet('/api/threads', `X-Long: ${'x'.repeat(9000)}`),
    ),
  request_timeout: async () => {
    const edge = await startEdge({
      ...{ requestTimeout: 400, headersTimeout: 200 },
      connectionsCheckingInterval: 50,
    });
    try {
      return await rawExchange(edge.port, 'GET /api/list HTTP/1.1\r\n');
    } finally {
      await edge.stop();
    }
  },
  internal_error: async ({ a }) => {
    const { writes } = a.board.context;
    const rename = (from: string, to: string) =>
      writes.query(`ALTER TABLE ${from} RENAME TO ${to}`);
    await rename('selection', 'selection_elsewhere');
    try {
      return await a.as(freshNetwork()).get('/api/selections');
    } finally {
      await rename('selection_elsewhere', 'selection');
    }
  },
  log_guard: ({ lost }) => preview(lost, {}),
  decision_conflict: async ({ a, root }) => {
    const { cookie } = await operator(a, 'admin');
    const { baseUrl } = a.board.context.config;
    const keep = () =>
      a
        .as()
        .post('/admin/api/do/decision.record')
        .set({ Cookie: cookie, Origin: baseUrl })
        .send({
          ...{ id: root, action: 'keep', reason: 'within_rules', seen: null },
          explanation: 'It may stay.',
        });
    await keep();
    return await keep();
  },
} satisfies Producers;
