import type { Endpoint } from '../http/endpoint.js';
import {
  type Operation,
  refusedGet,
  type Setting,
} from '../http/openapi/operation.js';
import { schemas } from './answers.js';
import { previewMessage } from './preview.js';
import { previewRequest } from './preview-request.js';
import { publishMessage } from './publish.js';
import { publishRequest } from './publish-request.js';

/** The two steps of posting (spec/board.md §4, §5). */
export const writeEndpoints: readonly Endpoint[] = [
  previewMessage,
  publishMessage,
];

/** Reads of their addresses, which only refuse (spec/board.md §1.8). */
export const writeRefused: readonly ((setting: Setting) => Operation)[] = [
  (setting) =>
    refusedGet(
      previewMessage.operation(setting),
      previewRequest(setting.limits).shape,
    ),
];

/** Their bodies and answers, by the names of the machine description. */
export const writeSchemas = ({ limits }: Setting) => ({
  ...schemas,
  PreviewRequest: previewRequest(limits),
  PublishRequest: publishRequest,
});
