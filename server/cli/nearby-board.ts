import { parseConfig } from '../config.js';
import { readNodeAddress } from './node-address.js';

/**
 * The board that a command means which names none: the node that runs on this
 * data folder, or the one that these settings would start.
 * @throws ConfigError for settings that start none.
 */
export function nearbyBoard(): string {
  const config = parseConfig(process.env);
  return readNodeAddress(config.dataDir)?.url ?? config.baseUrl;
}
