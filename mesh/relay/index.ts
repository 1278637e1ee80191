import type { Endpoint } from '../../server/http/endpoint.js';
import {
  relayPending,
  relayReceipt,
  relayState,
} from '../../server/tickets/index.js';
import { relayPost } from './accept-relay.js';
import { relayRequest } from './relay-request.js';

export const relayEndpoints: readonly Endpoint[] = [relayPost];

export const relaySchemas = {
  RelayRequest: relayRequest,
  RelayReceipt: relayReceipt,
  RelayPending: relayPending,
  RelayState: relayState,
};
