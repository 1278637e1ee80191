import { type IncomingMessage, request, type ServerResponse } from 'node:http';

/** Passes a request on to `url` with these headers, as a proxy does. */
export function passOn(
  req: IncomingMessage,
  res: ServerResponse,
  url: string | URL,
  headers = req.headers,
): void {
  const { method = 'GET' } = req;
  const asked = request(url, { method, headers }, (answer) => {
    res.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(res);
  });
  asked.on('error', () => res.destroy());
  req.pipe(asked);
}
