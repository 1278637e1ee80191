import type { Router } from 'express';
import type { Context } from '../context.js';
import { JSON_TYPE, TEXT_TYPE } from '../http/conditional.js';
import { discoveryLinks } from '../http/discovery-links.js';
import { htmlHeaders, jsonHeaders, textHeaders } from '../http/headers.js';
import { route, sliceRouter } from '../http/options.js';
import { skillFacts, skillIndex, skillPath } from './agent-skills.js';
import { apiCatalog, LINKSET_TYPE } from './api-catalog.js';
import { document } from './document.js';
import { documentOrPage } from './document-page.js';
import type { MachineDescription } from './machine-description.js';
import { protocolDocument } from './protocol-document.js';
import { reference } from './reference/reference.js';
import { renderDocuments } from './render.js';
import { robots } from './robots.js';
import { contactUri, securityTxt } from './security-txt.js';
import { SITEMAP_PATH, sitemap } from './sitemap.js';

/** What describes the board to programs; mounted at the root. */
export function discoveryRouter(
  ctx: Context,
  machine: () => MachineDescription,
): Router {
  const router = sliceRouter();
  const { baseUrl, boardContact } = ctx.config;
  const documents = renderDocuments(ctx);
  const entry = [jsonHeaders(), discoveryLinks()];
  route(router, '/api/protocol', {
    get: [...entry, protocolDocument(ctx, documents, machine)],
  });
  route(router, '/openapi.json', { get: [...entry, document(machine)] });
  route(router, '/reference', { get: [htmlHeaders(), reference(machine)] });
  for (const rendered of Object.values(documents)) {
    const markdown = rendered.name.endsWith('.md');
    const send = markdown
      ? documentOrPage(ctx, rendered)
      : document(() => rendered);
    route(router, `/${rendered.name}`, { get: [textHeaders(), send] });
  }

  const guide = documents['skill.md'];
  const { name } = skillFacts(guide.bytes.toString('utf8'));
  route(router, skillPath(name), {
    get: [textHeaders(), document(() => guide)],
  });
  const index = json(skillIndex(baseUrl, documents), JSON_TYPE);
  route(router, '/.well-known/agent-skills/index.json', {
    get: [...entry, document(() => index)],
  });
  const catalog = json(apiCatalog(baseUrl), LINKSET_TYPE);
  route(router, '/.well-known/api-catalog', {
    get: [...entry, document(() => catalog)],
  });
  const rules = { bytes: Buffer.from(robots(baseUrl)), type: TEXT_TYPE };
  route(router, '/robots.txt', { get: [textHeaders(), document(() => rules)] });
  route(router, SITEMAP_PATH, { get: [textHeaders(), sitemap(ctx)] });
  const contact = contactUri(boardContact);
  if (contact !== null) {
    route(router, '/.well-known/security.txt', {
      get: [textHeaders(), securityTxt(ctx, contact)],
    });
  }
  return router;
}

function json(value: object, type: string) {
  return { bytes: Buffer.from(JSON.stringify(value), 'utf8'), type };
}
