import { type Config, ConfigError, parseConfig } from '../../config.js';
import { parseTrustProxy } from '../../http/network.js';
import { type Check, fail, ok } from './check.js';

/** The configuration, or a line for every fault of it. */
export function settings(env: NodeJS.ProcessEnv): {
  checks: Check[];
  config: Config | null;
} {
  const name = 'settings';
  const fix = 'correct it in the environment (.env.example lists all)';
  try {
    const config = parseConfig(env);
    parseTrustProxy(config.trustProxy);
    return { checks: [ok(name, `board at ${config.baseUrl}`)], config };
  } catch (error) {
    const faults =
      error instanceof ConfigError ? error.faults : [(error as Error).message];
    return {
      checks: faults.map((fault) => fail(name, fault, fix)),
      config: null,
    };
  }
}
