import type { Router } from 'express';
import type { Context } from '../context.js';
import { TEXT_TYPE } from '../http/conditional.js';
import { htmlHeaders, textHeaders } from '../http/headers.js';
import { route, sliceRouter } from '../http/route.js';
import { skillFacts, skillPath } from './agent-skills.js';
import { document } from './document.js';
import { documentOrPage } from './document-page.js';
import type { MachineDescription } from './machine-description.js';
import { reference } from './reference/reference.js';
import type { RenderedDocuments } from './render.js';
import { robots } from './robots.js';
import { contactUri, securityTxt } from './security-txt.js';
import { SITEMAP_PATH, sitemap } from './sitemap.js';

/**
 * The documents and the reference: texts and pages, which the machine
 * description leaves out; mounted at the root.
 */
export function documentsRouter(
  ctx: Context,
  documents: RenderedDocuments,
  machine: () => MachineDescription,
): Router {
  const router = sliceRouter();
  const { baseUrl, boardContact } = ctx.config;
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
