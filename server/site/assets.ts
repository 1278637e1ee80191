import type { RequestHandler, Router } from 'express';
import { jsonHeaders } from '../http/headers.js';
import { route, sliceRouter } from '../http/route.js';
import { sendPacked } from '../http/send-compressed.js';
import { type Asset, ICON, STYLE } from './asset-files.js';

/** A file under its hashed name, kept by browsers for a year. */
function file({ bytes, type }: Asset): RequestHandler {
  return (req, res) => {
    sendPacked(req, res, bytes, { type, cache: 'immutable' });
  };
}

/** Files of pages: part of a read that is counted already. */
export function assetsRouter(): Router {
  const router = sliceRouter();
  for (const asset of [STYLE, ICON]) {
    route(router, asset.path, { get: [jsonHeaders(), file(asset)] });
  }
  return router;
}
