import type { Router } from 'express';
import type { Context } from '../context.js';
import { jsonHeaders, textHeaders } from '../http/headers.js';
import { route, sliceRouter } from '../http/options.js';
import { document } from './document.js';
import type { MachineDescription } from './machine-description.js';
import { protocolDocument } from './protocol-document.js';
import { renderDocuments } from './render.js';

/** What describes the board to programs; mounted at the root. */
export function discoveryRouter(
  ctx: Context,
  machine: MachineDescription,
): Router {
  const router = sliceRouter();
  const documents = renderDocuments(ctx);
  route(router, '/api/protocol', {
    get: [jsonHeaders(), protocolDocument(ctx, documents, machine)],
  });
  route(router, '/openapi.json', { get: [jsonHeaders(), document(machine)] });
  for (const rendered of Object.values(documents)) {
    route(router, `/${rendered.name}`, {
      get: [textHeaders(), document(rendered)],
    });
  }
  return router;
}
