import { parseConfig } from '../config.js';
import { readNodeAddress } from './node-address.js';

/**
 * The node of this data folder, or of these settings.
 * @throws ConfigError for settings that start none
 */
export function nearbyBoard(): string {
  const config = parseConfig(process.env);
  return readNodeAddress(config.dataDir)?.url ?? config.baseUrl;
}
