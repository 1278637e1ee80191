import type { Endpoint } from '../../server/http/endpoint.js';
import {
  relayPending,
  relayReceipt,
  relayState,
} from '../../server/http/openapi/relay.js';
import { relayPost } from './accept-relay.js';
import { relayRequest } from './relay-request.js';

/** Where other nodes hand in posts for this board (spec/mesh.md §B10). */
export const relayEndpoints: readonly Endpoint[] = [relayPost];

/** Bodies and answers of posting to other boards, by their public names. */
export const relaySchemas = {
  RelayRequest: relayRequest,
  RelayReceipt: relayReceipt,
  RelayPending: relayPending,
  RelayState: relayState,
};
