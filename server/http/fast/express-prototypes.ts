import { IncomingMessage, ServerResponse } from 'node:http';
import type { Express, Request, Response } from 'express';

/** What a `node:http` server makes its requests and answers of. */
export type MessageClasses = {
  IncomingMessage: typeof IncomingMessage;
  ServerResponse: typeof ServerResponse;
};

/**
 * Classes whose objects have the prototypes of an app from the start. Express
 * sets them on every request and answer, and V8 then gives each of these
 * objects a shape of its own: whatever looks at it afterwards, in Node too,
 * is slow for ever. One that is there already is left alone.
 *
 * @param stopping once it is, every answer says that its connection closes:
 *   else a busy client keeps it, and with it the node, alive.
 */
export function messageClasses(
  app: Express,
  stopping: AbortSignal,
): MessageClasses {
  class AppRequest extends IncomingMessage {}
  class AppResponse<
    Of extends IncomingMessage = IncomingMessage,
  > extends ServerResponse<Of> {
    override writeHead(...head: unknown[]): this {
      if (stopping.aborted) this.shouldKeepAlive = false;
      return super.writeHead.call(this, ...(head as [number])) as this;
    }
  }
  Object.setPrototypeOf(AppRequest.prototype, app.request);
  Object.setPrototypeOf(AppResponse.prototype, app.response);
  app.request = AppRequest.prototype as Request;
  app.response = AppResponse.prototype as unknown as Response;
  return { IncomingMessage: AppRequest, ServerResponse: AppResponse };
}
